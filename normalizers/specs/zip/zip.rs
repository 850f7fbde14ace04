//! ZIP archives of regular files: their names, times, attributes and contents, in the order of the central directory.
//!
//! Source: APPNOTE.TXT 6.3.10 (PKWARE). Records have lengths of their own and are found through one another, and each file
//! is compressed by itself, so a primitive reads the archive: see `zip_entries`. Not covered: directories,
//! encryption, several disks, other methods of compression, times in extra fields, names that are not ASCII, bytes
//! between files.

// seed: ../../../corpus/zip/7z.zip

use super::file::File;

struct Entries {
    count: u32,
    #[element("entries")]
    archive: [u8; count],
}

fn entries(x: &File, y: &mut Entries) {
    y.archive = zip_entries(x.file);
}
