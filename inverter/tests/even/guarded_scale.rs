//! A number, or a product: one representation of the first kind for each value that the other factor may have.
//@ y {"v": 12}
//@ y {"v": 60}
//@ within kind 0..=1

pub struct Stored {
    kind: u8,
    scale: u8,
    raw: u8,
}

pub struct Value {
    v: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.kind <= 1);
    if x.kind == 0 {
        y.v = x.raw;
    } else {
        y.v = x.scale * x.raw;
    }
}
