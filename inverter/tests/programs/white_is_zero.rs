//! A bilevel picture in which black is 0 or 1, as the photometric interpretation says.
//@ complete
//@ y {"n": 2, "ink": [0, 1]}
//@ y {"n": 0, "ink": []}

pub struct Bilevel {
    n: u8,
    photometric: u8,
    bits: [u8; n],
}

pub struct Image {
    n: u8,
    ink: [u8; n],
}

pub fn normalize(x: &Bilevel, y: &mut Image) {
    assume(x.photometric == 0 || x.photometric == 1);
    y.n = x.n;
    for k in 0..x.n {
        assume(x.bits[k] <= 1);
        if x.photometric == 0 {
            y.ink[k] = x.bits[k];
        } else {
            y.ink[k] = 1 - x.bits[k];
        }
    }
}
