//! Two samples of four bits in a byte, picked by a rule for each place in the row.
//@ complete
//@ y {"n": 3, "samples": [1, 2, 3]}

pub struct Packed {
    n: u8,
    bytes: [u8; div_ceil(n, 2)],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Packed, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        if k % 2 == 0 {
            y.samples[k] = x.bytes[k / 2] / 16;
        } else {
            y.samples[k] = x.bytes[k / 2] % 16;
        }
    }
}
