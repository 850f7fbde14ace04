//! Second differences: each is made of three neighbors.
//@ pending: some draws have no representation ("x.points would have to be 61520"): the free ends are fill, not choices that fit, and it is told as a loss
//@ complete
//@ y {"n": 2, "bends": [1, -1]}
//@ y {"n": 0, "bends": []}

pub struct Curve {
    n: u8,
    points: [i16; n + 2],
}

pub struct Bends {
    n: u8,
    bends: [i32; n],
}

pub fn normalize(x: &Curve, y: &mut Bends) {
    y.n = x.n;
    for i in 0..x.n {
        y.bends[i] = x.points[i + 2] - 2 * x.points[i + 1] + x.points[i];
    }
}
