//! Factors of either sign.
//@ y {"v": 72}
//@ y {"v": -60}

pub struct Stored {
    a: i8,
    b: i8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = x.a * x.b;
}
