//! Three scalars that differ.
//@ y {"v": 1}
//@ within a 0..=7
//@ within b 0..=7
//@ within c 0..=7

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 8 && x.b < 8 && x.c < 8);
    assume(x.a != x.b && x.b != x.c && x.a != x.c);
    y.v = min(1, 1 + x.a);
}
