//! Samples, each with a flag: where it is not set, the sample has its default.
//@ complete
//@ y {"n": 3, "samples": [7, 0, 7]}

pub struct Flagged {
    n: u8,
    present: [u8; n],
    stored: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Flagged, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        if x.present[k] == 1 {
            y.samples[k] = x.stored[k];
        } else {
            y.samples[k] = 7;
        }
    }
}
