//! Two bit-planes, each bit in a byte of its own.
//@ complete
//@ y {"n": 4, "samples": [0, 1, 2, 3]}

pub struct Planes {
    n: u8,
    low: [u8; n],
    high: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Planes, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.low[k] <= 1 && x.high[k] <= 1);
        y.samples[k] = x.low[k] + 2 * x.high[k];
    }
}
