//! A sum of quotients.
//@ y {"v": 4}
//@ y {"v": 9}
//@ within a 0..=99
//@ within b 0..=49

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 100 && x.b < 50);
    y.v = x.a / 10 + div_ceil(x.b, 8);
}
