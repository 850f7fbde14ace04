//! Thresholds that never rise, from a first that the value gives.
//@ kind monotone
//@ y {"n": 4, "first": 200, "level": [1, 2, 3, 4]}
//@ y {"n": 3000, "first": 60000, "level": {"cycle": [3, 0, 1, 7], "length": 3000}}

pub struct Curve {
    n: u16,
    threshold: [u16; n + 1],
    level: [u8; n],
}

pub struct Levels {
    n: u16,
    first: u16,
    level: [u8; n],
}

pub fn normalize(x: &Curve, y: &mut Levels) {
    y.n = x.n;
    y.first = x.threshold[0];
    for k in 0..x.n {
        assume(x.threshold[k] >= x.threshold[k + 1]);
        y.level[k] = x.level[k];
    }
}
