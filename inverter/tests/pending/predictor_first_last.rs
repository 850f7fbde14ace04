//! Steps, and behind them the last sample: the chain is settled from its far end.
//@ pending: no representation ("element 2 of x.samples would have to be both -8740 and 3"): the chain is run from a free end, not from the one that is known
//@ complete
//@ y {"n": 2, "last": 3, "steps": [1, -2]}

pub struct Row {
    n: u8,
    samples: [i16; n + 1],
}

pub struct Predicted {
    n: u8,
    last: i16,
    steps: [i32; n],
}

pub fn normalize(x: &Row, y: &mut Predicted) {
    y.n = x.n;
    for i in 0..x.n {
        y.steps[i] = x.samples[i + 1] - x.samples[i];
    }
    y.last = x.samples[x.n];
}
