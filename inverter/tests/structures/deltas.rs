//! Differences of a line that is stored as it is, from any level.
//@ y {"n": 3, "step": [1, -1, 5]}
//@ y {"n": 4000, "step": {"cycle": [3, -3, 100, -100], "length": 4000}}

pub struct Stored {
    n: u16,
    v: [i16; n + 1],
}

pub struct Steps {
    n: u16,
    step: [i32; n],
}

pub fn normalize(x: &Stored, y: &mut Steps) {
    y.n = x.n;
    for k in 0..x.n {
        y.step[k] = x.v[k + 1] - x.v[k];
    }
}
