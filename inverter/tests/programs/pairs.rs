//! Neighbors side by side: the second of a pair is the first of the next.
//@ complete
//@ y {"n": 2, "left": [1, 2], "right": [2, 3]}

pub struct Points {
    n: u8,
    points: [u8; n + 1],
}

pub struct Segments {
    n: u8,
    left: [u8; n],
    right: [u8; n],
}

pub fn normalize(x: &Points, y: &mut Segments) {
    y.n = x.n;
    for i in 0..x.n {
        y.left[i] = x.points[i];
        y.right[i] = x.points[i + 1];
    }
}
