//! Six unknowns with a sum and a difference.
//@ y {"s": 7, "d": 1}
//@ within a 0..=4
//@ within b 0..=4
//@ within c 0..=4
//@ within d 0..=4
//@ within e 0..=4
//@ within f 0..=4

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
}

pub struct Value {
    s: u8,
    d: i16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 5 && x.b < 5 && x.c < 5 && x.d < 5 && x.e < 5 && x.f < 5);
    y.s = x.a + x.b + x.c + x.d + x.e + x.f;
    y.d = x.a + x.b - x.c - x.d + x.e;
}
