//@ incomplete: tables of free length are drawn within limits
//@ y {"n": 2, "v": [5, 6]}
//! A table of a table of a table.

pub struct X {
    n: u8,
    a: [u8],
    b: [u8],
    c: [u8; n],
    d: [u8],
}

pub struct Y {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        y.v[i] = x.d[x.a[x.b[x.c[i]]]];
    }
}
