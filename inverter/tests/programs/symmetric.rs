//! A symmetric matrix, of which one half is stored, in rows of growing length.
//@ complete
//@ y {"n": 2, "data": [[1, 2], [2, 3]]}

pub struct Half {
    n: u8,
    rows: [[i16; n]; n],
}

pub struct Matrix {
    n: u8,
    data: [[i16; n]; n],
}

pub fn normalize(x: &Half, y: &mut Matrix) {
    y.n = x.n;
    for i in 0..x.n {
        for j in 0..i + 1 {
            y.data[i][j] = x.rows[i][j];
        }
        for j in 0..i {
            y.data[j][i] = x.rows[i][j];
        }
    }
}
