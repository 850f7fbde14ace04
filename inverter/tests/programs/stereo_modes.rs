//! Stereo in one of two modes, told for each frame: two channels, or one and a difference.
//@ complete
//@ y {"n": 2, "left": [3, 1], "right": [1, 1]}

pub struct Frames {
    n: u8,
    mode: [u8; n],
    first: [i16; n],
    second: [i32; n],
}

pub struct Stereo {
    n: u8,
    left: [i16; n],
    right: [i16; n],
}

pub fn normalize(x: &Frames, y: &mut Stereo) {
    y.n = x.n;
    for t in 0..x.n {
        assume(x.mode[t] <= 1);
        y.left[t] = x.first[t];
        if x.mode[t] == 1 {
            y.right[t] = x.first[t] - x.second[t];
        } else {
            y.right[t] = x.second[t];
        }
    }
}
