//! A picture stored pixel by pixel, or as a single color if every pixel has it.
//@ complete
//@ y {"n": 2, "data": [5, 5]}
//@ y {"n": 2, "data": [5, 6]}

pub struct Stored {
    n: u8,
    solid: u8,
    color: u8,
    pixels: [u8; (1 - solid) * n],
}

pub struct Image {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.solid <= 1);
    y.n = x.n;
    for k in 0..x.n {
        if x.solid == 1 {
            y.data[k] = x.color;
        } else {
            y.data[k] = x.pixels[k];
        }
    }
}
