//! An element that is assigned twice if there are 760 only.
//@ says is assigned twice

pub struct Stored {
    n: u16,
    p: u16,
    a: [u8; n],
}

pub struct Value {
    n: u16,
    v: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.a[k];
    }
    if x.n % 251 == 7 && x.n / 251 == 3 {
        y.v[5] = x.a[6];
    }
}
