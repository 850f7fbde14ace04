//! Samples at any distance from one another, from any start.
//@ incomplete: equal samples never share their place
//@ y {"n": 3, "samples": [1, 2, 3]}
//@ y {"n": 2, "samples": [4, 4]}

pub struct Stored {
    n: u8,
    stride: u16,
    start: u16,
    data: [u8],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.n = x.n;
    for i in 0..x.n {
        y.samples[i] = x.data[x.start + i * x.stride];
    }
}
