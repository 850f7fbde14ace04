//! A square and a rest.
//@ y {"v": 50}
//@ y {"v": 400}

pub struct Stored {
    a: i8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = x.a * x.a + x.b;
}
