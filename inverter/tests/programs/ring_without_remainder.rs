//! A ring buffer whose wrap is found by comparing, not by a remainder.
//@ complete
//@ y {"n": 3, "samples": [1, 2, 2]}

pub struct Ring {
    n: u8,
    start: u8,
    ring: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Ring, y: &mut Samples) {
    y.n = x.n;
    assume(x.start < max(x.n, 1));
    for i in 0..x.n {
        if i < x.n - x.start {
            y.samples[i] = x.ring[x.start + i];
        } else {
            y.samples[i] = x.ring[x.start + i - x.n];
        }
    }
}
