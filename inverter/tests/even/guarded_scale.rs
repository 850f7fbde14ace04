//! A scale that one branch only applies.
//@ y {"v": 36}
//@ y {"v": 7}
//@ within scaled 0..=1

pub struct Stored {
    scaled: u8,
    scale: i8,
    a: i8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.scaled <= 1);
    if x.scaled == 1 {
        y.v = x.scale * x.a;
    } else {
        assume(x.scale == 1);
        y.v = x.a;
    }
}
