struct X {
    a: [u8; 4],
}

struct Y {
    c: [u8; 4],
}

fn normalize(x: &X, y: &mut Y) -> u8 {
    for i in 0..4 {
        y.c[i] = x.a[i];
    }
}
