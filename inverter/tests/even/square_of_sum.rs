//! The square of a sum of two bytes.
//@ y {"v": 1600}
//@ y {"v": 900}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: u32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = (x.a + x.b) * (x.a + x.b);
}
