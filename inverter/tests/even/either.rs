//! One of two conditions.
//@ y {"v": 9}
//@ y {"v": 200}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 4 || x.b > 250 || x.a == x.b);
    y.v = max(x.a, 9 * min(x.b, 1));
}
