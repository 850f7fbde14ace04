//! Scalars in order, between bounds of the canonical value.
//@ y {"v": 20}
//@ y {"v": 9}
//@ within a 0..=21
//@ within b 0..=21
//@ within c 0..=21

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a <= x.b && x.b <= x.c && x.c < 22);
    y.v = x.c - x.a + min(x.b, 5);
}
