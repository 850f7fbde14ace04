//! A few solutions among a great many numbers.
//@ y {"v": 999983}
//@ all 2
//@ y {"v": 720720}
//@ all 240

pub struct Stored {
    a: u32,
    b: u32,
}

pub struct Value {
    v: u64,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a >= 1 && x.b >= 1);
    y.v = x.a * x.b;
}
