//! Two samples to the byte; a flag says which comes first.
//@ complete
//@ y {"pairs": 2, "samples": [1, 2, 3, 3]}

pub struct Packed {
    pairs: u8,
    high_first: u8,
    bytes: [u8; pairs],
}

pub struct Samples {
    pairs: u8,
    samples: [u8; 2 * pairs],
}

pub fn normalize(x: &Packed, y: &mut Samples) {
    y.pairs = x.pairs;
    assume(x.high_first <= 1);
    for k in 0..x.pairs {
        if x.high_first == 1 {
            y.samples[2 * k] = x.bytes[k] / 16;
            y.samples[2 * k + 1] = x.bytes[k] % 16;
        } else {
            y.samples[2 * k] = x.bytes[k] % 16;
            y.samples[2 * k + 1] = x.bytes[k] / 16;
        }
    }
}
