//! A palette of which the first entry is the background's, and pixels of the lower entries only.
//@ complete
//@ y {"n": 3, "data": [4, 9, 4]}
//@ x {"n": 3, "palette": [4, 9, 4, 0], "pixel": [0, 1, 2]}

pub struct Indexed {
    n: u8,
    palette: [u8; 4],
    pixel: [u8; n],
}

pub struct Image {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        if k == 0 {
            assume(x.pixel[k] == 0);
        }
        assume(x.pixel[k] < 3);
        y.data[k] = x.palette[x.pixel[k]];
    }
}
