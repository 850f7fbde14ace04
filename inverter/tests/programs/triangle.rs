//! A lower triangular matrix, packed row by row.
//@ complete
//@ y {"n": 2, "data": [[1, 0], [2, 3]]}

pub struct Packed {
    n: u8,
    cells: [u8; n * (n + 1) / 2],
}

pub struct Matrix {
    n: u8,
    data: [[u8; n]; n],
}

pub fn normalize(x: &Packed, y: &mut Matrix) {
    y.n = x.n;
    for i in 0..x.n {
        for j in 0..i + 1 {
            y.data[i][j] = x.cells[i * (i + 1) / 2 + j];
        }
        for j in 0..x.n - 1 - i {
            y.data[i][i + 1 + j] = 0;
        }
    }
}
