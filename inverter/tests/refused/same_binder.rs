struct X {
    n: u8,
    a: [u8; n],
    b: [u8; n],
}

struct Y {
    n: u8,
    c: [u8; n],
}

fn normalize(x: &X, x: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        y.c[i] = x.a[i];
    }
}
