//! Minimum and maximum in each other.
//@ y {"v": 5}
//@ y {"v": 11}
//@ within a 0..=15
//@ within b 0..=15
//@ within c 0..=15

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 16 && x.b < 16 && x.c < 16);
    y.v = min(max(x.a, x.b), max(x.b + 2, x.c));
}
