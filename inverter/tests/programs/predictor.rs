//! A row of samples, told by its first one and by the steps to the next.
//@ complete
//@ loss: a sample that fits no type is only met on the way
//@ y {"n": 2, "first": 3, "steps": [1, -2]}

pub struct Row {
    n: u8,
    samples: [i16; n + 1],
}

pub struct Predicted {
    n: u8,
    first: i16,
    steps: [i32; n],
}

pub fn normalize(x: &Row, y: &mut Predicted) {
    y.n = x.n;
    y.first = x.samples[0];
    for i in 0..x.n {
        y.steps[i] = x.samples[i + 1] - x.samples[i];
    }
}
