//! Colors that are to be multiplied by their alpha.
//@ refused: a product of two array elements is not affine

pub struct Straight {
    n: u8,
    color: [u8; n],
    alpha: [u8; n],
}

pub struct Premultiplied {
    n: u8,
    color: [u16; n],
}

pub fn normalize(x: &Straight, y: &mut Premultiplied) {
    y.n = x.n;
    for k in 0..x.n {
        y.color[k] = x.color[k] * x.alpha[k];
    }
}
