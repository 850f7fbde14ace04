//! A color map as TIFF has it: all reds, then all greens, then all blues.
//@ kind dictionary
//@ y {"n": 3, "rgb": [[1, 2, 3], [1, 2, 4], [1, 2, 3]]}
//@ y {"n": 1300, "rgb": {"cycle": [[0, 0, 0], [255, 0, 0], [0, 255, 0], [9, 0, 255]], "length": 1300}}

const COLORS: u16 = 16;

pub struct Indexed {
    n: u16,
    map: [u16; 3 * COLORS],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    rgb: [[u16; 3]; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        for c in 0..3 {
            assume(x.index[k] < COLORS);
            y.rgb[k][c] = x.map[COLORS * c + x.index[k]];
        }
    }
}
