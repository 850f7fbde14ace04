//! Levels, of which only the steps matter.
//@ pending: some draws have no representation ("x.levels would have to be 256"): the chain's end is fill, not a choice that fits, and it is told as a loss
//@ complete
//@ y {"n": 2, "steps": [1, -1]}
//@ y {"n": 0, "steps": []}
//@ x {"n": 2, "levels": [255, 0, 255]}

pub struct Levels {
    n: u8,
    levels: [u8; n + 1],
}

pub struct Steps {
    n: u8,
    steps: [i16; n],
}

pub fn normalize(x: &Levels, y: &mut Steps) {
    y.n = x.n;
    for i in 0..x.n {
        y.steps[i] = x.levels[i + 1] - x.levels[i];
    }
}
