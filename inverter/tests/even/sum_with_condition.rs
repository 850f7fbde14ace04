//! A weighted sum of elements with a condition on others.
//@ y {"s": 24}
//@ y {"s": 40}
//@ within d 0..=15

pub struct Stored {
    d: [u8; 4],
}

pub struct Value {
    s: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for k in 0..4 {
        assume(x.d[k] <= 15);
    }
    assume(x.d[0] + x.d[1] <= x.d[2] + x.d[3]);
    y.s = x.d[0] + 2 * x.d[1] + 3 * x.d[2] + 4 * x.d[3];
}
