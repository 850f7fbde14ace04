//! Runs: each value is held from where its run starts to where the next one does.
//@ complete
//@ y {"n": 3, "data": [4, 4, 9]}
//@ y {"n": 0, "data": []}
//@ x {"n": 3, "runs": 2, "starts": [0, 2, 3], "values": [4, 9]}
//@ x {"n": 2, "runs": 3, "starts": [0, 1, 1, 2], "values": [4, 0, 4]}

pub struct Runs {
    n: u8,
    runs: u8,
    starts: [u8; runs + 1],
    values: [u8; runs],
}

pub struct Samples {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Runs, y: &mut Samples) {
    y.n = x.n;
    assume(x.starts[0] == 0 && x.starts[x.runs] == x.n);
    for r in 0..x.runs {
        assume(x.starts[r] <= x.starts[r + 1]);
        for k in 0..x.starts[r + 1] - x.starts[r] {
            y.data[x.starts[r] + k] = x.values[r];
        }
    }
}
