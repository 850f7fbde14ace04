//! Three factors.
//@ y {"v": 60}
//@ y {"v": 48}
//@ within a 0..=60
//@ within b 0..=60
//@ within c 0..=60

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a <= 60 && x.b <= 60 && x.c <= 60);
    y.v = x.a * x.b * x.c;
}
