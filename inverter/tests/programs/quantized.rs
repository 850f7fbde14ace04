//! The low bits do not matter: not an equation to be solved, but an ensure has values.
//@ complete
//@ y {"n": 2, "coarse": [0, 3]}
//@ y {"n": 0, "coarse": []}

pub struct X {
    n: u8,
    scale: u8,
    fine: [u16; n],
}

pub struct Y {
    n: u8,
    coarse: [u8; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    assume(x.scale >= 1 && x.scale <= 16);
    for i in 0..x.n {
        y.coarse[i] = x.fine[i] / x.scale;
    }
}
