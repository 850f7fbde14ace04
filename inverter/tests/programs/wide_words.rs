//! A word of 64 bits from two of 32.
//@ complete
//@ values 3
//@ y {"word": 4294967298}
//@ y {"word": 18446744073709551615}

pub struct Halves {
    high: u32,
    low: u32,
}

pub struct Word {
    word: u64,
}

pub fn normalize(x: &Halves, y: &mut Word) {
    y.word = 4294967296 * x.high + x.low;
}
