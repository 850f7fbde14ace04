//! A ring buffer: the samples begin at `start` and go on from the front.
//@ complete
//@ values 3
//@ y {"n": 2, "samples": [1, 2]}
//@ y {"n": 0, "samples": []}

pub struct Ring {
    n: u8,
    capacity: u8,
    start: u8,
    ring: [u8; capacity],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Ring, y: &mut Samples) {
    y.n = x.n;
    assume(x.capacity >= max(x.n, 1) && x.start < x.capacity);
    for i in 0..x.n {
        y.samples[i] = x.ring[(x.start + i) % x.capacity];
    }
}
