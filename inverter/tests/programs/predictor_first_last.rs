//! Steps, and behind them the last sample: the chain is settled from its far end.
//@ loss: the chain ends in an element that is free, so that representations come from the search
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
