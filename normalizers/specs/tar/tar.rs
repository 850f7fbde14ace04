//! tar archives of regular files: their names, modes, owners, times and contents, in order.
//!
//! Sources: POSIX.1-2017 (pax) and the manual of GNU tar. An archive is text in blocks that follow one
//! another, so a primitive reads it: see `tar_entries`. Not covered: directories, links and devices, names
//! of users and groups, sparse files, extended headers for a whole archive.

// seed: ../../../corpus/tar/ustar.tar

use super::file::File;

struct Entries {
    count: u32,
    #[element("entries")]
    listing: [u8; count],
}

fn entries(x: &File, y: &mut Entries) {
    y.listing = tar_entries(x.file);
}
