//! Numbers that all differ.
//@ y {"s": 6}
//@ y {"s": 9}
//@ within d 0..=8

pub struct Stored {
    d: [u8; 3],
}

pub struct Value {
    s: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    for j in 0..3 {
        assume(x.d[j] < 9);
        for k in 0..3 {
            assume(j == k || x.d[j] != x.d[k]);
        }
    }
    y.s = x.d[0] + x.d[1] + x.d[2];
}
