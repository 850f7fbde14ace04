//! A loop whose body accepts nothing.
//@ says accepts nothing

pub struct Stored {
    n: u8,
    a: u8,
    d: [u8; n],
}

pub struct Value {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.a + k > 300);
        assume(k < 20);
        y.v[k] = x.d[k];
    }
}
