//! Samples as their distance from a common base.
//@ complete
//@ y {"n": 2, "samples": [3, 5]}
//@ y {"n": 0, "samples": []}

pub struct Based {
    n: u8,
    base: u8,
    above: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Based, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        y.samples[k] = x.base + x.above[k];
    }
}
