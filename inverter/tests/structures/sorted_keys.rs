//! A table with keys that rise strictly, and mean nothing else.
//@ kind monotone
//@ y {"n": 4, "value": [9, 8, 7, 6]}
//@ y {"n": 4000, "value": {"cycle": [3, 0, 1, 7], "length": 4000}}

pub struct Table {
    n: u16,
    key: [u16; n],
    value: [u8; n],
}

pub struct Values {
    n: u16,
    value: [u8; n],
}

pub fn normalize(x: &Table, y: &mut Values) {
    y.n = x.n;
    for k in 0..x.n - 1 {
        assume(x.key[k] < x.key[k + 1]);
    }
    for k in 0..x.n {
        y.value[k] = x.value[k];
    }
}
