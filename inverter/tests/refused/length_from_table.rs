//! Rows each as long as a table says: a length may ask for scalars only.
//@ refused: the length of an array is made of an element

pub struct Ragged {
    n: u8,
    lengths: [u8; n],
    first: [u8; lengths[0]],
}

pub struct Row {
    n: u8,
}

pub fn normalize(x: &Ragged, y: &mut Row) {
    y.n = x.n;
}
