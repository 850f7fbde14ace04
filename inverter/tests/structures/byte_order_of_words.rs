//! Words of 16 bits in either byte order.
//@ kind byte order
//@ y {"n": 3, "word": [0, 258, 65535]}
//@ y {"n": 4000, "word": {"cycle": [0, 258, 65535, 4660], "length": 4000}}

pub struct Stored {
    n: u16,
    big: u8,
    bytes: [u8; 2 * n],
}

pub struct Words {
    n: u16,
    word: [u16; n],
}

pub fn normalize(x: &Stored, y: &mut Words) {
    y.n = x.n;
    assume(x.big <= 1);
    for k in 0..x.n {
        if x.big == 1 {
            y.word[k] = 256 * x.bytes[2 * k] + x.bytes[2 * k + 1];
        } else {
            y.word[k] = x.bytes[2 * k] + 256 * x.bytes[2 * k + 1];
        }
    }
}
