struct X {
    #[element("strip")]
    a: u8,
    #[element("strip")]
    b: u8,
}

struct Y {
    c: u16,
}

fn normalize(x: &X, y: &mut Y) {
    y.c = x.a + x.b;
}
