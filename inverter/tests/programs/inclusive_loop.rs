//! One sample more than there are steps between them.
//@ complete
//@ y {"steps": 2, "samples": [1, 5, 9]}
//@ y {"steps": 0, "samples": [7]}

pub struct Stored {
    steps: u8,
    samples: [u8; steps + 1],
}

pub struct Samples {
    steps: u8,
    samples: [u8; steps + 1],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.steps = x.steps;
    for i in 0..=x.steps {
        y.samples[i] = x.samples[i];
    }
}
