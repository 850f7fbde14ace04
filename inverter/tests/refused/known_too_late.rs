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
    y.n = x.n;
    for i in 0..x.n {
        y.c[i] = x.a[i];
    }
    assume(x.a[0] + x.b[0] > 1 && x.a[x.n - 1] == 3);
}
