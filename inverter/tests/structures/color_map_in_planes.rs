//! A color map in three arrays, all picked from by one index.
//@ kind dictionary
//@ y {"n": 4, "red": [1, 1, 1, 9], "green": [2, 3, 2, 9], "blue": [0, 0, 0, 9]}
//@ y {"n": 1300, "red": {"cycle": [1, 2, 3, 4], "length": 1300}, "green": {"cycle": [7, 7], "length": 1300}, "blue": {"cycle": [5, 6], "length": 1300}}

pub struct Indexed {
    n: u16,
    red: [u8; 4],
    green: [u8; 4],
    blue: [u8; 4],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    red: [u8; n],
    green: [u8; n],
    blue: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.red[k] = x.red[x.index[k]];
        y.green[k] = x.green[x.index[k]];
        y.blue[k] = x.blue[x.index[k]];
    }
}
