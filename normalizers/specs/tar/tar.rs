//! tar archives of regular files: their names, modes, owners, times and contents, in order.
//!
//! After POSIX.1-2017 (pax) and the manual of GNU tar. All that an archive says is in text and in blocks that
//! follow one another, so it is a primitive: see `tar_entries`. Not here: directories, links and devices,
//! names of users and groups, sparse files, extended headers for a whole archive.

struct Archive {
    file: [u8],
}

struct Entries {
    count: u32,
    #[element("entries")]
    listing: [u8; count],
}

fn entries(x: &Archive, y: &mut Entries) {
    y.listing = tar_entries(x.file);
}
