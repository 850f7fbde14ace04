//! Things in any order, whose places an array lists.
//@ y {"v": [7, 8, 9, 10]}
//@ within p 0..=3
//@ within d 7..=10

pub struct Stored {
    p: [u8; 4],
    d: [u8; 4],
}

pub struct Value {
    v: [u8; 4],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for k in 0..4 {
        y.v[k] = x.d[x.p[k]];
    }
}
