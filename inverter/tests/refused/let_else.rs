struct X {
    a: [u8; 4],
}

struct Y {
    c: [u8; 4],
}

fn normalize(x: &X, y: &mut Y) {
    let n = 4 else { return };
    for i in 0..n {
        y.c[i] = x.a[i];
    }
}
