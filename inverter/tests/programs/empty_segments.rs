//@ incomplete: the base of an empty segment gets the least value that is allowed
//@ y {"n": 2, "w": 0, "v": [[], []]}
//! Segments that may be empty have bases on which something is assumed.

pub struct X {
    n: u8,
    w: u8,
    at: [u16; n],
    d: [u8],
}

pub struct Y {
    n: u8,
    w: u8,
    v: [[u8; w]; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    y.w = x.w;
    for i in 0..x.n {
        assume(x.at[i] % 2 == 1);
        for j in 0..x.w {
            y.v[i][j] = x.d[x.at[i] + j];
        }
    }
}
