//! Numbers as a sign and a magnitude: zero has two signs.
//@ complete
//@ y {"n": 3, "numbers": [-3, 0, 3]}

pub struct Signed {
    n: u8,
    negative: [u8; n],
    magnitude: [u8; n],
}

pub struct Numbers {
    n: u8,
    numbers: [i16; n],
}

pub fn normalize(x: &Signed, y: &mut Numbers) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.negative[k] <= 1);
        if x.negative[k] == 1 {
            y.numbers[k] = -x.magnitude[k];
        } else {
            y.numbers[k] = x.magnitude[k];
        }
    }
}
