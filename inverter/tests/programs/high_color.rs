//! A pixel of 16 bits: five for red, six for green, five for blue.
//@ complete
//@ y {"n": 1, "red": [0], "green": [2], "blue": [3]}
//@ y {"n": 2, "red": [31, 1], "green": [0, 2], "blue": [16, 3]}

pub struct HighColor {
    n: u8,
    pixels: [u16; n],
}

pub struct Image {
    n: u8,
    red: [u8; n],
    green: [u8; n],
    blue: [u8; n],
}

pub fn normalize(x: &HighColor, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.red[k] = x.pixels[k] / 2048;
        y.green[k] = x.pixels[k] / 32 % 64;
        y.blue[k] = x.pixels[k] % 32;
    }
}
