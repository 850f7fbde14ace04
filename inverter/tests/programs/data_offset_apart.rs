//! A header of fixed size with the offset of the data behind it: each condition is stated
//! by itself.
//@ complete
//@ y {"version": 1, "size": 2, "data": [1, 2]}
//@ y {"version": 1, "size": 0, "data": []}

const HEADER: u32 = 4;

pub struct File {
    magic: u8,
    version: u8,
    size: u8,
    offset: u16,
    file: [u8],
}

pub struct Content {
    version: u8,
    size: u8,
    data: [u8; size],
}

pub fn normalize(x: &File, y: &mut Content) {
    assume(x.magic == b'R');
    assume(x.offset >= HEADER);
    y.version = x.version;
    y.size = x.size;
    reserve(x.file[0..HEADER]);
    for k in 0..x.size {
        y.data[k] = x.file[x.offset + k];
    }
}
