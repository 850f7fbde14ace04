struct X {
    n: u8,
    stream: [u8],
}

struct Y {
    n: u8,
    data: [u8; n],
}

fn normalize(x: &X, y: &mut Y) {
    y.data = packbits(x.stream);
    y.n = x.n;
}
