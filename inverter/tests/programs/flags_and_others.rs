//@ incomplete: flags whose writes meet are drawn anew a limited number of times
//@ y {"n": 3, "v": [1, 2, 3], "w": [9, 8]}
//! The first loop writes elements of `b` that depend on flags; the second writes some too.

pub struct X {
    n: u8,
    flag: [u8; n],
    a: [u8],
    b: [u8],
}

pub struct Y {
    n: u8,
    v: [u8; n],
    w: [u8; 2],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        if x.flag[i] <= 99 {
            y.v[i] = x.a[i];
        } else {
            y.v[i] = x.b[i];
        }
    }
    for i in 0..2 {
        y.w[i] = x.b[i];
    }
}
