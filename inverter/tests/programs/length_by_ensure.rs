//@ y {"c": 1, "k": 2}
//@ complete
//! An array is written whose length only an assumption bounds: the length comes first.

pub struct X {
    n: u8,
    k: u8,
    a: [u8; n],
}

pub struct Y {
    c: u8,
    k: u8,
}

pub fn normalize(x: &X, y: &mut Y) {
    y.c = x.a[2];
    y.k = x.k;
    assume(x.n < 6);
}
