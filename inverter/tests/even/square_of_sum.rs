//! The square of a sum.
//@ y {"v": 144}

pub struct Stored {
    a: i8,
    b: i8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = (x.a + x.b) * (x.a + x.b);
}
