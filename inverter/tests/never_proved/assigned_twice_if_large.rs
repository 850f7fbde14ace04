//! An output that two loops assign in files of more than 700 elements.
//@ says assigned

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
        y.v[k] = x.d[k];
    }
    for k in 0..x.n - 700 {
        y.v[k + 700] = x.d[k];
    }
}
