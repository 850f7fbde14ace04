//! An order of five things.
//@ y {"v": 5}
//@ within p 0..=4

pub struct Stored {
    p: [u8; 5],
}

pub struct Value {
    v: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for j in 0..5 {
        assume(x.p[j] < 5);
        for k in 0..5 {
            assume(j == k || x.p[j] != x.p[k]);
        }
    }
    y.v = 5;
}
