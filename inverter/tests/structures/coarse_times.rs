//! Times that do not fall; only their tens are kept.
//@ kind monotone
//@ y {"n": 4, "tens": [1, 1, 2, 2]}
//@ y {"n": 2000, "tens": {"rising": [0, 3], "length": 2000}}

pub struct Log {
    n: u16,
    time: [u32; n],
}

pub struct Coarse {
    n: u16,
    tens: [u32; n],
}

pub fn normalize(x: &Log, y: &mut Coarse) {
    y.n = x.n;
    for k in 0..x.n {
        if k + 1 < x.n {
            assume(x.time[k] <= x.time[k + 1]);
        }
        y.tens[k] = x.time[k] / 10;
    }
}
