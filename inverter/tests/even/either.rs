//! One of three conditions.
//@ y {"v": 9}
//@ y {"v": 20}
//@ within a 0..=39
//@ within b 0..=39

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 40 && x.b < 40);
    assume(x.a < 4 || x.b > 36 || x.a == x.b);
    y.v = min(x.a + x.b, 20);
}
