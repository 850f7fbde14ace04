struct X {
    stream: [u8],
}

struct Y {
    data: [u8; 4],
}

fn normalize(x: &X, y: &mut Y) {
    y.data = lzw(x.stream);
    unpack(y.data, x.stream);
}
