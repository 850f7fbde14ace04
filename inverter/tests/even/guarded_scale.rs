//! A number as it is, or in a unit.
//@ y {"v": 60}
//@ y {"v": 7}

pub struct Stored {
    scaled: u8,
    unit: u8,
    a: u8,
}

pub struct Value {
    v: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.scaled <= 1);
    if x.scaled == 1 {
        y.v = x.a * x.unit;
    } else {
        y.v = x.a;
    }
}
