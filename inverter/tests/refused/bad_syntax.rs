struct X {
    n: u8,
    a: [u8; n],
    b: [u8; n],
}

struct Y {
    n: u8,
    c: [u8; n],
}

fn normalize(x: &X, y: &mut Y) {
    y.n = = x.n;
}
