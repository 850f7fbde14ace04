//! Squares that no numbers have.
//@ says 

pub struct Stored {
    a: u16,
    b: u16,
}

pub struct Value {
    v: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a > 0);
    assume(x.a * x.a == 2 * x.b * x.b);
    y.v = x.b;
}
