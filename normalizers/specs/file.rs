//! Records of files that specs share.

/// A file: its bytes.
struct File {
    file: [u8],
}

/// The parts of a file that a primitive has put together from its chunks.
struct Chunks {
    count: u32,
    #[element("chunks")]
    data: [u8; count],
}
