//! An output that has no value in files of more than 600 elements.
//@ says never assigned

pub struct Stored {
    n: u16,
    d: [u8; n],
}

pub struct Value {
    n: u16,
    v: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.n = x.n;
    for k in 0..min(x.n, 600) {
        y.v[k] = x.d[k];
    }
}
