//! Numbers that never fall.
//@ y {"v": 1}
//@ within d 0..=7

pub struct Stored {
    d: [u8; 4],
}

pub struct Value {
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for k in 0..4 {
        assume(x.d[k] < 8);
    }
    for k in 0..3 {
        assume(x.d[k] <= x.d[k + 1]);
    }
    y.v = 1;
}
