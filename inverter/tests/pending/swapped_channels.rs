//! Stereo whose channels may be swapped, which the index itself works out.
//@ pending: "x.swapped is used before it has a value": a flag in an index is taken for the base of a segment, and the other segment is made of it
//@ complete
//@ y {"n": 2, "left": [1, 2], "right": [3, 4]}
//@ y {"n": 1, "left": [5], "right": [5]}
//@ x {"n": 2, "swapped": 1, "samples": [3, 1, 4, 2]}

pub struct Wave {
    n: u8,
    swapped: u8,
    samples: [u8],
}

pub struct Stereo {
    n: u8,
    left: [u8; n],
    right: [u8; n],
}

pub fn normalize(x: &Wave, y: &mut Stereo) {
    assume(x.swapped <= 1);
    y.n = x.n;
    for t in 0..x.n {
        y.left[t] = x.samples[2 * t + x.swapped];
        y.right[t] = x.samples[2 * t + 1 - x.swapped];
    }
}
