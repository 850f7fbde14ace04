//@ incomplete: tables of free length are drawn within limits
//@ y {"n": 2, "v": [5, 6]}
//! The length of `flags` depends on a table that nothing else needs.

pub struct X {
    n: u8,
    at: [u8; n],
    flags: [u8],
    d: [u8; n],
    e: [u8; n],
}

pub struct Y {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        if i == 1 || x.flags[x.at[i]] < 0 {
            y.v[i] = x.d[i];
        } else {
            y.v[i] = x.e[i];
        }
    }
}
