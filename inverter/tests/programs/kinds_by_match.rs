//! One of three kinds of row, by number; other numbers are a row of zeros.
//@ complete
//@ y {"n": 2, "row": [3, 3]}
//@ y {"n": 2, "row": [3, 5]}
//@ y {"n": 2, "row": [0, 0]}
//@ x {"kind": 9, "n": 2, "value": 7, "row": [1, 2]}

const SOLID: u8 = 1;

pub struct Stored {
    kind: u8,
    n: u8,
    value: u8,
    row: [u8; n],
}

pub struct Row {
    n: u8,
    row: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Row) {
    y.n = x.n;
    for k in 0..x.n {
        match x.kind {
            0 => y.row[k] = x.row[k],
            SOLID => {
                y.row[k] = x.value;
            }
            2 | 4..=6 => y.row[k] = x.row[x.n - 1 - k],
            _ => y.row[k] = 0,
        }
    }
}
