//! Samples with their range in front of them: it must be no smaller than it is.
//@ complete
//@ y {"n": 2, "samples": [3, 5]}

pub struct Ranged {
    n: u8,
    low: u8,
    high: u8,
    samples: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Ranged, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.low <= x.samples[k] && x.samples[k] <= x.high);
        y.samples[k] = x.samples[k];
    }
}
