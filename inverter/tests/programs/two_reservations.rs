//! Marks in front and behind, and a fixed gap in the middle.
//@ incomplete: the place of no samples at all is always 0
//@ y {"n": 2, "samples": [1, 2]}

pub struct Frame {
    n: u8,
    start: u8,
    frame: [u8; 12],
}

pub struct Samples {
    n: u8,
    samples: [u8; n],
}

pub fn normalize(x: &Frame, y: &mut Samples) {
    y.n = x.n;
    reserve(x.frame[0..2]);
    reserve(x.frame[5..7]);
    reserve(x.frame[11..12]);
    assume(x.n <= 4);
    for k in 0..x.n {
        y.samples[k] = x.frame[x.start + k];
    }
}
