//! A matrix by rows, or by columns.
//@ kind guard
//@ y {"h": 2, "w": 3, "v": [[1, 2, 3], [4, 5, 6]]}
//@ y {"h": 60, "w": 66, "v": {"cycle": [{"cycle": [1, 2, 3, 4, 5], "length": 66}], "length": 60}}

pub struct Stored {
    h: u8,
    w: u8,
    columns_first: u8,
    v: [u16; h * w],
}

pub struct Matrix {
    h: u8,
    w: u8,
    v: [[u16; w]; h],
}

pub fn normalize(x: &Stored, y: &mut Matrix) {
    y.h = x.h;
    y.w = x.w;
    assume(x.columns_first <= 1);
    for r in 0..x.h {
        for c in 0..x.w {
            if x.columns_first == 1 {
                y.v[r][c] = x.v[c * x.h + r];
            } else {
                y.v[r][c] = x.v[r * x.w + c];
            }
        }
    }
}
