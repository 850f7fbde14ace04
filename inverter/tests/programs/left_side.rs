//! Stereo as the left channel and its distance from the right one.
//@ complete
//@ y {"n": 2, "left": [3, 1], "right": [1, 1]}

pub struct LeftSide {
    n: u8,
    left: [i16; n],
    side: [i32; n],
}

pub struct Stereo {
    n: u8,
    left: [i16; n],
    right: [i16; n],
}

pub fn normalize(x: &LeftSide, y: &mut Stereo) {
    y.n = x.n;
    for t in 0..x.n {
        y.right[t] = x.left[t] - x.side[t];
        y.left[t] = x.left[t];
    }
}
