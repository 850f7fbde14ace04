//! An output that only a branch assigns that is never taken.
//@ says never assigned

pub struct Stored {
    kind: u8,
    a: u8,
}

pub struct Value {
    v: u8,
    w: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.w = x.kind;
    if x.kind > 255 {
        y.v = x.a;
    }
}
