//! A picture with an alpha plane, or without: then every pixel is opaque.
//@ complete
//@ y {"n": 2, "gray": [1, 2], "alpha": [255, 255]}
//@ y {"n": 2, "gray": [1, 2], "alpha": [255, 0]}

pub struct Stored {
    n: u8,
    has_alpha: u8,
    gray: [u8; n],
    alpha: [u8; has_alpha * n],
}

pub struct Image {
    n: u8,
    gray: [u8; n],
    alpha: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.n = x.n;
    assume(x.has_alpha <= 1);
    for k in 0..x.n {
        y.gray[k] = x.gray[k];
        if x.has_alpha == 1 {
            y.alpha[k] = x.alpha[k];
        } else {
            y.alpha[k] = 255;
        }
    }
}
