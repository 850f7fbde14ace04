//! A sum of two.
//@ y {"v": 300}
//@ y {"v": 255}
//@ y {"v": 3}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = x.a + x.b;
}
