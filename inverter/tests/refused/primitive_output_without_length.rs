struct X {
    stream: [u8],
}

struct Y {
    data: [u8],
}

fn normalize(x: &X, y: &mut Y) {
    y.data = packbits(x.stream);
}
