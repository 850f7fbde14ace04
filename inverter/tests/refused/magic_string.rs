//! A file's mark as a string.
//@ refused: a string; compare byte by byte, as with `b'R'`

pub struct File {
    magic: [u8; 4],
    version: u8,
}

pub struct Header {
    version: u8,
}

pub fn normalize(x: &File, y: &mut Header) {
    assume(x.magic == b"RIFF");
    y.version = x.version;
}
