//! Audio that may be stored backwards.
//@ complete
//@ y {"n": 3, "samples": [1, -2, 3]}

pub struct Tape {
    n: u8,
    backwards: u8,
    samples: [i16; n],
}

pub struct Audio {
    n: u8,
    samples: [i16; n],
}

pub fn normalize(x: &Tape, y: &mut Audio) {
    y.n = x.n;
    assume(x.backwards == 0 || x.backwards == 1);
    for t in 0..x.n {
        if x.backwards == 1 {
            y.samples[t] = x.samples[x.n - 1 - t];
        } else {
            y.samples[t] = x.samples[t];
        }
    }
}
