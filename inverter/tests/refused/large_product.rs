struct X {
    a: u8,
    b: u8,
}

struct Y {
    c: u64,
}

fn normalize(x: &X, y: &mut Y) {
    let s = x.a + x.b + 1;
    y.c = s * s * s * s * s * s * s;
}
