//! Samples with a common factor.
//@ complete
//@ y {"n": 2, "samples": [4, 6]}
//@ y {"n": 1, "samples": [0]}

pub struct Scaled {
    n: u8,
    factor: u8,
    mantissas: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u16; n],
}

pub fn normalize(x: &Scaled, y: &mut Samples) {
    y.n = x.n;
    assume(x.factor >= 1 && x.factor <= 8);
    for k in 0..x.n {
        y.samples[k] = x.factor * x.mantissas[k];
    }
}
