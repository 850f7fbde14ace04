//! Three assumptions that contradict one another.
//@ says so the spec accepts nothing

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a > 5);
    assume(x.b > x.a);
    assume(x.b < 7);
    y.v = x.a;
}
