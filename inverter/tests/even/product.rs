//! Two factors of a number.
//@ y {"v": 5040}
//@ y {"v": 97}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = x.a * x.b;
}
