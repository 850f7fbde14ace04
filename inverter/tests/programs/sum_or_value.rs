//! Samples that may come in two parts, to be added, as a flag of each says.
//@ complete
//@ y {"n": 2, "samples": [3, 300]}
//@ y {"n": 2, "samples": [3, 5]}
//@ x {"n": 2, "split": [0, 1], "first": [3, 100], "second": [0, 200]}

pub struct Parts {
    n: u8,
    split: [u8; n],
    first: [u8; n],
    second: [u8; n],
}

pub struct Samples {
    n: u8,
    samples: [u16; n],
}

pub fn normalize(x: &Parts, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.split[k] <= 1);
        if x.split[k] == 1 {
            y.samples[k] = x.first[k] + x.second[k];
        } else {
            y.samples[k] = x.first[k];
        }
    }
}
