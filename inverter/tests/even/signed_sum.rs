//! Numbers of either sign, one of them twice.
//@ y {"v": -7}
//@ y {"v": 20}
//@ within a -20..=20
//@ within b -20..=20
//@ within c 0..=10

pub struct Stored {
    a: i8,
    b: i8,
    c: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a >= -20 && x.a <= 20 && x.b >= -20 && x.b <= 20 && x.c <= 10);
    y.v = 2 * x.a - 3 * x.b + x.c;
}
