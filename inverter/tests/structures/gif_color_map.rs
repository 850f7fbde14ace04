//! A color map of three bytes an entry, as in GIF, and an index for each pixel.
//@ kind dictionary
//@ y {"n": 4, "rgb": [[1, 2, 3], [1, 2, 4], [1, 2, 3], [9, 9, 9]]}
//@ y {"n": 1300, "rgb": {"cycle": [[0, 0, 0], [255, 0, 0], [0, 255, 0], [9, 0, 255]], "length": 1300}}

pub struct Indexed {
    n: u16,
    map: [u8; 12],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    rgb: [[u8; 3]; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        for c in 0..3 {
            y.rgb[k][c] = x.map[3 * x.index[k] + c];
        }
    }
}
