//! A number up to a cap: all greater ones mean the same.
//@ y {"v": 7}

pub struct Stored {
    a: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.v = min(x.a, 7);
}
