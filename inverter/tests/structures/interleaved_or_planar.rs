//! Samples by pixel, or by component.
//@ kind guard
//@ y {"n": 3, "rgb": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}
//@ y {"n": 1300, "rgb": {"cycle": [[1, 2, 3], [4, 5, 6]], "length": 1300}}

pub struct Stored {
    n: u16,
    planar: u8,
    data: [u8; 3 * n],
}

pub struct Image {
    n: u16,
    rgb: [[u8; 3]; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.n = x.n;
    assume(x.planar <= 1);
    for k in 0..x.n {
        for c in 0..3 {
            if x.planar == 1 {
                y.rgb[k][c] = x.data[x.n * c + k];
            } else {
                y.rgb[k][c] = x.data[3 * k + c];
            }
        }
    }
}
