//! A product of which one factor is nothing.
//@ y {"v": 0}
//@ within a -50..=50
//@ within b 0..=100

pub struct Stored {
    a: i8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a >= -50 && x.a <= 50 && x.b <= 100);
    y.v = x.a * x.b;
}
