//! A sum of the elements of an array.
//@ y {"s": 9}
//@ y {"s": 20}
//@ within d 0..=8

pub struct Stored {
    d: [u8; 4],
}

pub struct Value {
    s: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for k in 0..4 {
        assume(x.d[k] <= 8);
    }
    y.s = x.d[0] + x.d[1] + x.d[2] + x.d[3];
}
