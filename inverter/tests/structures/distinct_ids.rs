//! Identifiers that all differ, and mean nothing else.
//@ kind distinct
//@ y {"n": 4, "value": [9, 8, 7, 6]}
//@ y {"n": 250, "value": {"cycle": [3, 0, 1, 7], "length": 250}}

pub struct Table {
    n: u16,
    id: [u8; n],
    value: [u8; n],
}

pub struct Values {
    n: u16,
    value: [u8; n],
}

pub fn normalize(x: &Table, y: &mut Values) {
    y.n = x.n;
    for k in 0..x.n {
        for other in 0..k {
            assume(x.id[k] != x.id[other]);
        }
        y.value[k] = x.value[k];
    }
}
