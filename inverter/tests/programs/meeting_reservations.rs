//@ incomplete: reservations that meet are found out after segments are placed
//@ y {"n": 2, "v": [5, 6]}
//! Two settled reservations in an array with segments may meet.

pub struct X {
    n: u8,
    at: [u16; n],
    a: u8,
    b: u8,
    d: [u8],
}

pub struct Y {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    assume(x.a <= 9 && x.b <= 9 && x.a * x.b <= 40);
    reserve(x.d[0..x.a]);
    reserve(x.d[2 * x.b..2 * x.b + 2]);
    for i in 0..x.n {
        y.v[i] = x.d[x.at[i]];
    }
}
