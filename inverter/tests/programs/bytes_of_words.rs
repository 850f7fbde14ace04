//! The bytes of 16-bit words, high one first: a word is known by its quotient and remainder.
//@ complete
//@ y {"n": 2, "high": [1, 0], "low": [2, 255]}

pub struct Words {
    n: u8,
    words: [u16; n],
}

pub struct Bytes {
    n: u8,
    high: [u8; n],
    low: [u8; n],
}

pub fn normalize(x: &Words, y: &mut Bytes) {
    y.n = x.n;
    for k in 0..x.n {
        y.high[k] = x.words[k] / 256;
        y.low[k] = x.words[k] % 256;
    }
}
