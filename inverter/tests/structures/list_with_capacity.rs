//! A list in an array that may be longer, with a guard for what is used.
//@ kind guard
//@ y {"n": 3, "item": [[1, 2], [3, 4], [5, 6]]}
//@ y {"n": 1900, "item": {"cycle": [[1, 2], [3, 4]], "length": 1900}}

pub struct Stored {
    n: u16,
    capacity: u16,
    item: [[u8; 2]; capacity],
}

pub struct List {
    n: u16,
    item: [[u8; 2]; n],
}

pub fn normalize(x: &Stored, y: &mut List) {
    y.n = x.n;
    assume(x.capacity >= x.n);
    for k in 0..x.n {
        for c in 0..2 {
            y.item[k][c] = x.item[k][c];
        }
    }
}
