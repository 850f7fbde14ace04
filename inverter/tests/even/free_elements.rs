//! Elements that only bounds narrow.
//@ y {"v": 2}
//@ within d 2..=5

pub struct Stored {
    d: [u8; 4],
}

pub struct Value {
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for k in 0..4 {
        assume(x.d[k] >= 2 && x.d[k] <= 5);
    }
    y.v = 2;
}
