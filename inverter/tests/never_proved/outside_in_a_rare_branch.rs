//! An index behind the end in a branch that one number takes.
//@ says outside the array

pub struct Stored {
    kind: u16,
    n: u8,
    d: [u8; n],
}

pub struct Value {
    n: u8,
    v: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.n = x.n;
    for k in 0..x.n {
        if x.kind == 777 {
            y.v[k] = x.d[k + 1];
        } else {
            y.v[k] = x.d[k];
        }
    }
}
