//! A sample in one of two arrays, picked by a flag for each: the other one is free.
//@ complete
//@ y {"n": 2, "samples": [1, 300]}

pub struct Stored {
    n: u8,
    wide: [u8; n],
    short: [u8; n],
    long: [u16; n],
}

pub struct Samples {
    n: u8,
    samples: [u16; n],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        if x.wide[k] != 0 {
            y.samples[k] = x.long[k];
        } else {
            y.samples[k] = x.short[k];
        }
    }
}
