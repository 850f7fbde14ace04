//! An index for each pixel, and a palette of colors.
//@ complete
//@ y {"n": 3, "data": [9, 4, 9]}
//@ y {"n": 5, "data": [9, 4, 9, 4, 1]}
//@ y {"n": 0, "data": []}
//@ x {"n": 3, "palette": [9, 4, 0, 0], "index": [0, 1, 0]}
//@ x {"n": 2, "palette": [4, 0, 4, 0], "index": [0, 2]}

pub struct Indexed {
    n: u8,
    palette: [u8; 4],
    index: [u8; n],
}

pub struct Image {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[k] = x.palette[x.index[k]];
    }
}
