//@ incomplete: an encoder's streams are not enumerated
//@ y {"groups": 2, "data": [1, 2, 3, 4]}
//! Pairs of bytes in either order; the stream's length is one of the things that must agree.

pub struct Stored {
    groups: u8,
    length: u16,
    swapped: u8,
    stream: [u8; length],
}

pub struct Bytes {
    groups: u8,
    data: [u8; 2 * groups],
}

pub fn normalize(x: &Stored, y: &mut Bytes) {
    y.groups = x.groups;
    assume(x.swapped <= 1 && x.length < 1000);
    y.data = bytes_swapped(x.stream, x.swapped + 1);
}
