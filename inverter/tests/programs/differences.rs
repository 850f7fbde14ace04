//! Levels, of which only the steps matter.
//@ loss: the chain ends in an element that is free, so that representations come from the search
//@ incomplete: the chain is run from one end, and what it is free to begin with is fill
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
