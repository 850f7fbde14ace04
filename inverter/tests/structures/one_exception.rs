//! A line with one element stored apart.
//@ kind guard
//@ y {"n": 4, "v": [1, 2, 3, 4]}
//@ y {"n": 4000, "v": {"cycle": [1, 2, 3], "length": 4000}}

pub struct Stored {
    n: u16,
    at: u16,
    special: u8,
    base: [u8; n],
}

pub struct Line {
    n: u16,
    v: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Line) {
    y.n = x.n;
    for k in 0..x.n {
        if k == x.at {
            y.v[k] = x.special;
        } else {
            y.v[k] = x.base[k];
        }
    }
}
