//! A camera's samples, clipped to eight bits for display.
//@ complete
//@ y {"n": 3, "display": [0, 7, 255]}

pub struct Raw {
    n: u8,
    samples: [i16; n],
}

pub struct Display {
    n: u8,
    display: [u8; n],
}

pub fn normalize(x: &Raw, y: &mut Display) {
    y.n = x.n;
    for k in 0..x.n {
        y.display[k] = min(max(x.samples[k], 0), 255);
    }
}
