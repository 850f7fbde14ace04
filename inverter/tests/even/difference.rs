//! A difference.
//@ y {"v": 100}
//@ y {"v": -250}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = x.a - x.b;
}
