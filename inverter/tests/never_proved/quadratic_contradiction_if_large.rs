//! A branch for large numbers whose condition only small numbers meet.
//@ says accepts nothing

pub struct Stored {
    a: u16,
    b: u16,
}

pub struct Value {
    v: u16,
    w: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    if x.a > 1000 {
        assume(x.a * x.a < x.a);
        y.v = 1;
    } else {
        y.v = 0;
    }
    y.w = x.b;
}
