//! Values in any order, and the place of each.
//@ y {"n": 4, "value": [9, 8, 7, 6]}
//@ all 24
//@ y {"n": 5, "value": [1, 2, 3, 4, 5]}
//@ all 120

pub struct Stored {
    n: u16,
    place: [u16; n],
    value: [u8; n],
}

pub struct Values {
    n: u16,
    value: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Values) {
    y.n = x.n;
    for k in 0..x.n {
        y.value[k] = x.value[x.place[k]];
    }
}
