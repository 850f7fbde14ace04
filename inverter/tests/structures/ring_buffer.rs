//! The first element is anywhere in a buffer that is a ring.
//@ kind offset table
//@ y {"n": 3, "value": [1, 2, 3]}
//@ y {"n": 500, "value": {"cycle": [1, 2, 3, 4, 5, 6, 7], "length": 500}}

pub struct Ring {
    n: u16,
    head: u16,
    buffer: [u8; 512],
}

pub struct Queue {
    n: u16,
    value: [u8; n],
}

pub fn normalize(x: &Ring, y: &mut Queue) {
    y.n = x.n;
    assume(x.n <= 512);
    for k in 0..x.n {
        y.value[k] = x.buffer[(x.head + k) % 512];
    }
}
