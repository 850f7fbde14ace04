//! Scalars that nothing connects.
//@ y {"v": 2}
//@ within a 0..=20
//@ within b 0..=19

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 21 && x.b < 20);
    y.v = x.c;
}
