//! A number from parts of bytes, whose other bits are free.
//@ y {"v": 333}
//@ y {"v": 64}
//@ within a 0..=31
//@ within b 0..=31
//@ within c 0..=63

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 32 && x.b < 32 && x.c < 64);
    y.v = x.a % 4 + 4 * (x.b % 4) + 16 * x.c;
}
