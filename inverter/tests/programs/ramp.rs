//! A ramp: where it begins, and by how much it rises.
//@ complete
//@ values 3
//@ y {"n": 3, "data": [5, 7, 9]}
//@ y {"n": 1, "data": [5]}

pub struct Ramp {
    n: u8,
    start: i16,
    step: i16,
}

pub struct Line {
    n: u8,
    data: [i16; n],
}

pub fn normalize(x: &Ramp, y: &mut Line) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[k] = x.start + k * x.step;
    }
}
