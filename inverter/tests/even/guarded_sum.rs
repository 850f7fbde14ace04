//! A sum in one branch, a difference in the other.
//@ y {"v": 40}
//@ y {"v": 100}
//@ within kind 0..=1
//@ within a 0..=100
//@ within b 0..=100

pub struct Stored {
    kind: u8,
    a: u8,
    b: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.kind <= 1 && x.a <= 100 && x.b <= 100);
    if x.kind == 1 {
        y.v = x.a + x.b;
    } else {
        y.v = x.a - x.b;
    }
}
