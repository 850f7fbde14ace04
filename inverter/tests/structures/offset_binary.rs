//! Signed samples as unsigned ones, or as they are.
//@ kind guard
//@ y {"n": 3, "sample": [-128, 0, 127]}
//@ y {"n": 4000, "sample": {"cycle": [-128, 0, 127, 5, -3], "length": 4000}}

pub struct Stored {
    n: u16,
    biased: u8,
    raw: [u8; n],
    sample: [i8; n],
}

pub struct Sound {
    n: u16,
    sample: [i8; n],
}

pub fn normalize(x: &Stored, y: &mut Sound) {
    y.n = x.n;
    assume(x.biased <= 1);
    for k in 0..x.n {
        if x.biased == 1 {
            y.sample[k] = x.raw[k] - 128;
        } else {
            y.sample[k] = x.sample[k];
        }
    }
}
