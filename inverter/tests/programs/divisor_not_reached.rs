//@ incomplete: what the branch that is not taken would use is free
//@ y {"n": 3, "v": [1, 2, 3]}
//! The divisor may be 0 where the branch is not taken, or its loop does nothing.

pub struct X {
    n: u8,
    kind: u8,
    per: u8,
    at: [u16; n],
    d: [u8],
    e: [u8; n],
}

pub struct Y {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    if x.kind == 1 {
        for s in 0..div_ceil(x.n, x.per) {
            for r in 0..min(x.per, x.n - s * x.per) {
                y.v[s * x.per + r] = x.d[x.at[s] + r];
            }
        }
    } else {
        for i in 0..x.n {
            y.v[i] = x.e[i];
        }
    }
}
