//! Samples up to a limit have an array of their own: the guard asks about the loop's
//! variable, a known output and an unknown input.
//@ complete
//@ y {"n": 3, "data": [1, 2, 3]}

pub struct Split {
    n: u8,
    limit: u8,
    near: [u8; n],
    far: [u8; n],
}

pub struct Samples {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Split, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        if k < x.limit || x.n <= 1 {
            y.data[k] = x.near[k];
        } else {
            y.data[k] = x.far[k];
        }
    }
}
