//! A number between two bounds, which vary too.
//@ y {"v": 6}
//@ y {"v": 9}
//@ within a 0..=19
//@ within lo 0..=9
//@ within hi 0..=9

pub struct Stored {
    a: u8,
    lo: u8,
    hi: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a < 20 && x.lo < 10 && x.hi < 10 && x.lo <= x.hi);
    y.v = max(x.lo, min(x.a, x.hi));
}
