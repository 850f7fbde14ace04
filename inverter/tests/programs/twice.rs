//! An input that two outputs show: they must agree.
//@ complete
//@ y {"n": 2, "red": [1, 2], "green": [1, 2]}

pub struct X {
    n: u8,
    gray: [u8; n],
}

pub struct Y {
    n: u8,
    red: [u8; n],
    green: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        y.red[i] = x.gray[i];
    }
    for i in 0..x.n {
        y.green[i] = x.gray[i];
    }
}
