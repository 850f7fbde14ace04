//! Stereo as the middle and the side: left is their sum, right their difference.
//@ complete
//@ y {"n": 2, "left": [3, 1], "right": [1, 1]}

pub struct MidSide {
    n: u8,
    mid: [i16; n],
    side: [i16; n],
}

pub struct Stereo {
    n: u8,
    left: [i32; n],
    right: [i32; n],
}

pub fn normalize(x: &MidSide, y: &mut Stereo) {
    y.n = x.n;
    for t in 0..x.n {
        y.left[t] = x.mid[t] + x.side[t];
        y.right[t] = x.mid[t] - x.side[t];
    }
}
