//! Samples of eight or of sixteen bits: those of sixteen are two bytes, high one first.
//@ complete
//@ y {"n": 2, "samples": [1, 255]}
//@ y {"n": 1, "samples": [256]}
//@ x {"n": 2, "sample_bytes": 1, "bytes": [1, 255]}
//@ x {"n": 2, "sample_bytes": 2, "bytes": [0, 1, 0, 255]}

pub struct Stored {
    n: u8,
    sample_bytes: u8,
    bytes: [u8; sample_bytes * n],
}

pub struct Samples {
    n: u8,
    samples: [u16; n],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.n = x.n;
    assume(x.sample_bytes == 1 || x.sample_bytes == 2);
    for k in 0..x.n {
        if x.sample_bytes == 1 {
            y.samples[k] = x.bytes[k];
        } else {
            y.samples[k] = 256 * x.bytes[2 * k] + x.bytes[2 * k + 1];
        }
    }
}
