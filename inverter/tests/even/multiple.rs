//! A size that is a multiple of another.
//@ y {"v": 12}
//@ y {"v": 1}
//@ within size 0..=255
//@ within unit 0..=20
//@ within count 0..=20

pub struct Stored {
    size: u8,
    unit: u8,
    count: u8,
}

pub struct Value {
    v: i32,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.unit >= 1 && x.unit <= 20 && x.count <= 20);
    assume(x.size == x.unit * x.count);
    y.v = x.count;
}
