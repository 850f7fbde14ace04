//@ complete
//@ y {"n": 3, "v": [1, 2, 1], "w": [1, 2, 1]}
//! Every element goes to two outputs, at different places, and nothing is to be chosen.

pub struct X {
    n: u8,
    d: [u8; n],
}

pub struct Y {
    n: u8,
    v: [u8; n],
    w: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        y.v[i] = x.d[i];
        y.w[i] = x.d[x.n - 1 - i];
    }
}
