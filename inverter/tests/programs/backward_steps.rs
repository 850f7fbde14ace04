//! Steps told from the last sample to the first.
//@ complete
//@ loss: a sample that fits no type is only met on the way
//@ y {"n": 2, "last": 5, "steps": [1, 2]}

pub struct Row {
    n: u8,
    samples: [i32; n + 1],
}

pub struct Steps {
    n: u8,
    last: i32,
    steps: [i32; n],
}

pub fn normalize(x: &Row, y: &mut Steps) {
    y.n = x.n;
    y.last = x.samples[x.n];
    for i in 0..x.n {
        y.steps[i] = x.samples[x.n - 1 - i] - x.samples[x.n - i];
    }
}
