//! Words of 16 bits as two bytes each, in either byte order.
//@ complete
//@ y {"n": 2, "words": [258, 0]}
//@ y {"n": 1, "words": [65535]}
//@ x {"n": 1, "big_endian": 0, "bytes": [2, 1]}
//@ x {"n": 1, "big_endian": 1, "bytes": [1, 2]}

pub struct Bytes {
    n: u8,
    big_endian: u8,
    bytes: [u8; 2 * n],
}

pub struct Words {
    n: u8,
    words: [u16; n],
}

pub fn normalize(x: &Bytes, y: &mut Words) {
    y.n = x.n;
    assume(x.big_endian <= 1);
    for k in 0..x.n {
        if x.big_endian == 1 {
            y.words[k] = 256 * x.bytes[2 * k] + x.bytes[2 * k + 1];
        } else {
            y.words[k] = x.bytes[2 * k] + 256 * x.bytes[2 * k + 1];
        }
    }
}
