//! Differences are stored with their running total, which is the value.
//@ kind monotone
//@ y {"n": 3, "v": [5, 4, 9]}
//@ y {"n": 4000, "v": {"cycle": [3, 6, 100, 0], "length": 4000}}

pub struct Stored {
    n: u16,
    step: [i16; n],
    total: [i32; n + 1],
}

pub struct Values {
    n: u16,
    v: [i32; n],
}

pub fn normalize(x: &Stored, y: &mut Values) {
    y.n = x.n;
    assume(x.total[0] == 0);
    for k in 0..x.n {
        assume(x.total[k + 1] == x.total[k] + x.step[k]);
        y.v[k] = x.total[k + 1];
    }
}
