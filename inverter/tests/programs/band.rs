//! A band matrix: the diagonal and the one below it.
//@ complete
//@ y {"n": 2, "diagonal": [1, 2], "below": [3]}

pub struct Band {
    n: u8,
    rows: [u8],
}

pub struct Diagonals {
    n: u8,
    diagonal: [u8; n],
    below: [u8; n - 1],
}

pub fn normalize(x: &Band, y: &mut Diagonals) {
    y.n = x.n;
    for i in 0..x.n {
        y.diagonal[i] = x.rows[2 * i + 1];
    }
    for i in 0..x.n - 1 {
        y.below[i] = x.rows[2 * (i + 1)];
    }
}
