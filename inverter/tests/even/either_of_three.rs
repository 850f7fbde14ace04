//! Conditions in disjunctions of conjunctions.
//@ y {"v": 12}
//@ y {"v": 30}
//@ within a 0..=29
//@ within b 0..=29
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
    assume(x.a < 30 && x.b < 30 && x.c < 30);
    assume(x.a == 3 && x.b > x.c || x.b == 4 && x.c < 9 || x.a > 25 && x.c == x.b + 1);
    y.v = x.a + x.b + x.c;
}
