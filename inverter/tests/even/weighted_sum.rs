//! A sum with weights and an order.
//@ y {"v": 60}
//@ y {"v": 33}
//@ within a 0..=60
//@ within b 0..=30
//@ within c 0..=20

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a <= 60 && x.b <= 30 && x.c <= 20);
    assume(x.a < x.b);
    y.v = x.a + 2 * x.b + 3 * x.c;
}
