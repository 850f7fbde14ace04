//! The greater of two.
//@ y {"v": 40}
//@ y {"v": 0}
//@ y {"v": 200}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = max(x.a, x.b);
}
