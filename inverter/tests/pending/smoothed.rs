//! Sums of neighbors: each sample is read at two places of one loop.
//@ pending: no representation ("x.samples would have to be -218"): each element is computed from the next one, which has no value yet
//@ complete
//@ y {"n": 2, "sums": [3, 5]}
//@ x {"n": 2, "samples": [1, 2, 3]}

pub struct Samples {
    n: u8,
    samples: [u8; n + 1],
}

pub struct Smooth {
    n: u8,
    sums: [u16; n],
}

pub fn normalize(x: &Samples, y: &mut Smooth) {
    y.n = x.n;
    for i in 0..x.n {
        y.sums[i] = x.samples[i] + x.samples[i + 1];
    }
}
