//! A branch that one number in 60,000 takes, and that accepts nothing.
//@ says accepts nothing

pub struct Stored {
    kind: u16,
    a: u8,
    b: u8,
}

pub struct Value {
    v: u8,
    w: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.w = x.b;
    if x.kind == 43981 {
        assume(x.a > 9);
        assume(x.a < x.b);
        assume(x.b < 10);
        y.v = x.a;
    } else {
        y.v = x.a;
    }
}
