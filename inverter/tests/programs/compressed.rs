//@ incomplete: an encoder's streams are not enumerated
//@ y {"n": 5, "data": [1, 1, 1, 2, 3]}
//! Bytes, compressed or with their bits in either order, behind a count of the bytes.

pub struct Stored {
    n: u8,
    compression: u8,
    fill_order: u8,
    byte_count: u32,
    stream: [u8; byte_count],
}

pub struct Bytes {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Bytes) {
    y.n = x.n;
    assume(x.fill_order == 1 || x.fill_order == 2);
    if x.compression == 5 {
        y.data = packbits(x.stream);
    } else {
        y.data = reverse_bits(x.stream, x.fill_order - 1);
    }
}
