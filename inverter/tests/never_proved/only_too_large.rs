//! Inputs that are all too large to be tried.
//@ says 

pub struct Stored {
    n: u32,
    d: [u8; n],
}

pub struct Value {
    n: u32,
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.n > 4000000000);
    y.n = x.n;
    y.v = x.d[0];
}
