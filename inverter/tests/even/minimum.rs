//! The lesser of two.
//@ y {"v": 200}
//@ y {"v": 255}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = min(x.a, x.b);
}
