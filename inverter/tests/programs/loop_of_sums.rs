//! The straight-line example in a loop, with references in the role of variables.
//@ complete
//@ y {"n": 2, "y1": [1, -1], "y2": [3, 0]}
//@ y {"n": 0, "y1": [], "y2": []}

pub struct X {
    n: u8,
    x1: [i32; n],
    x2: [i32; n],
}

pub struct Y {
    n: u8,
    y1: [i32; n],
    y2: [i64; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        y.y2[i] = x.x1[i] + x.x2[i];
        y.y1[i] = x.x1[i];
    }
}
