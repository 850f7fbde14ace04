//! One byte that must be two things.
//@ says so the spec accepts nothing

pub struct Stored {
    t: [u8; 4],
}

pub struct Value {
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.t[0] == 3);
    y.v = x.t[1];
    assume(x.t[0] == 4);
}
