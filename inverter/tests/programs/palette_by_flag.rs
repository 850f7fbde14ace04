//! Grays as they are, or by a palette of two.
//@ complete
//@ y {"n": 2, "data": [3, 9]}
//@ y {"n": 1, "data": [4]}

pub struct Stored {
    n: u8,
    indexed: u8,
    low: u8,
    high: u8,
    pixels: [u8; n],
}

pub struct Image {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.indexed <= 1);
    y.n = x.n;
    for k in 0..x.n {
        if x.indexed == 0 {
            y.data[k] = x.pixels[k];
        } else if x.pixels[k] == 0 {
            y.data[k] = x.low;
        } else {
            y.data[k] = x.high;
        }
    }
}
