//@ incomplete: what an ensure reads beside a reservation is kept off it, wherever it could be
//@ y {"n": 2, "v": [6, 9]}
//! A factor and its elements are both unknown, so that an ensure gives the elements; some of
//! the array belongs to others.

pub struct Scaled {
    n: u8,
    at: u8,
    k: u8,
    d: [u8],
}

pub struct Plain {
    n: u8,
    v: [i64; n],
}

pub fn normalize(x: &Scaled, y: &mut Plain) {
    y.n = x.n;
    reserve(x.d[x.at..x.at + 2]);
    for i in 0..x.n {
        y.v[i] = x.k * x.d[i];
    }
}
