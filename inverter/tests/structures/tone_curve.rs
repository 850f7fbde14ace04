//! Levels of 16 bits, each by its place in a table of 256.
//@ kind dictionary
//@ y {"n": 3, "level": [65535, 0, 65535]}
//@ y {"n": 4000, "level": {"cycle": [65535, 0, 12, 40000, 9], "length": 4000}}

pub struct Coded {
    n: u16,
    table: [u16; 256],
    code: [u8; n],
}

pub struct Levels {
    n: u16,
    level: [u16; n],
}

pub fn normalize(x: &Coded, y: &mut Levels) {
    y.n = x.n;
    for k in 0..x.n {
        y.level[k] = x.table[x.code[k]];
    }
}
