//! A remainder, and a quotient that is bounded.
//@ y {"v": 5}
//@ y {"v": 0}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a / 16 == x.b / 32);
    assume(x.b % 8 == 3);
    y.v = x.a % 7;
}
