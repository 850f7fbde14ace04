//! A value is stored where its flag is set, and 0 otherwise.
//@ kind guard
//@ y {"n": 4, "value": [0, 9, 0, 7]}
//@ y {"n": 4000, "value": {"cycle": [0, 9, 0, 7, 1], "length": 4000}}

pub struct Stored {
    n: u16,
    present: [u8; n],
    value: [u16; n],
}

pub struct Column {
    n: u16,
    value: [u16; n],
}

pub fn normalize(x: &Stored, y: &mut Column) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.present[k] <= 1);
        if x.present[k] == 1 {
            y.value[k] = x.value[k];
        } else {
            y.value[k] = 0;
        }
    }
}
