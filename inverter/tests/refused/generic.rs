struct X {
    a: [u8; 4],
}

struct Y {
    c: [u8; 4],
}

fn normalize<'a>(x: &'a X, y: &mut Y) {
    for i in 0..4 {
        y.c[i] = x.a[i];
    }
}
