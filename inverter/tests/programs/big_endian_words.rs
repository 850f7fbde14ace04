//! Words of 16 bits, high byte first: a value has one pair of bytes.
//@ complete
//@ values 3
//@ y {"n": 2, "words": [258, 0]}
//@ y {"n": 1, "words": [65535]}

pub struct Bytes {
    n: u8,
    bytes: [u8; 2 * n],
}

pub struct Words {
    n: u8,
    words: [u16; n],
}

pub fn normalize(x: &Bytes, y: &mut Words) {
    y.n = x.n;
    for k in 0..x.n {
        y.words[k] = 256 * x.bytes[2 * k] + x.bytes[2 * k + 1];
    }
}
