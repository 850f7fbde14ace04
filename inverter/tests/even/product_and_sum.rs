//! A product and a rest.
//@ y {"v": 130}
//@ y {"v": 13}
//@ within a 0..=40
//@ within b 0..=40
//@ within c 0..=29

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a <= 40 && x.b <= 40 && x.c < 30);
    y.v = x.a * x.b + x.c;
}
