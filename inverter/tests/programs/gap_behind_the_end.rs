//! A gap buffer: behind the last element the gap places nothing, and is the rest of the buffer.
//@ complete
//@ y {"n": 3, "v": [1, 2, 3]}

pub struct In {
    n: u8,
    at: u8,
    gap: u8,
    buf: [u8; n + gap],
}

pub struct Out {
    n: u8,
    v: [u8; n],
}

pub fn gap_buffer(x: &In, y: &mut Out) {
    assume(x.at <= x.n);
    y.n = x.n;
    for k in 0..x.n {
        if k < x.at {
            y.v[k] = x.buf[k];
        } else {
            y.v[k] = x.buf[k + x.gap];
        }
    }
}
