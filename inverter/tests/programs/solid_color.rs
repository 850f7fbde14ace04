//! A picture of a single color: a pixel says it for all of them.
//@ complete
//@ y {"n": 3, "data": [5, 5, 5]}
//@ y {"n": 0, "data": []}

pub struct Solid {
    n: u8,
    color: u8,
}

pub struct Image {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Solid, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[k] = x.color;
    }
}
