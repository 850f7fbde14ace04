//! An index that leaves its array in files of 1,000 elements only.
//@ says is outside the array

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
    for k in 0..x.n {
        y.v[k] = x.d[k + (k + 1) / 1000];
    }
}
