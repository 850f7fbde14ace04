//! Sums of three neighbors.
//@ y {"n": 3, "v": [6, 9, 12]}
//@ y {"n": 1000, "v": {"cycle": [30, 33, 36], "length": 1000}}

pub struct Stored {
    n: u16,
    a: [i16; n + 2],
}

pub struct Sums {
    n: u16,
    v: [i32; n],
}

pub fn normalize(x: &Stored, y: &mut Sums) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.a[k] + x.a[k + 1] + x.a[k + 2];
    }
}
