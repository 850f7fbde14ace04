struct X {
    n: u8,
    wide: [u16],
    plane: [[u8; 2]; 2],
    stream: [u8],
}

struct Y {
    n: u8,
    data: [u8; n],
    rows: [[u8; n]; n],
}

fn normalize(x: &X, y: &mut Y) {
    y.data = packbits(x.stream, x.n);
    y.data = reverse_bits(x.stream);
    y.data = packbits(x.n);
    y.data = packbits(x.wide);
    y.data = packbits(x.plane);
    y.data = packbits(x.stream[0]);
    y.data = packbits(y.data);
    y.data = packbits(x.none);
    y.data = packbits(3);
    y.n = packbits(x.stream);
    y.rows = packbits(x.stream);
    y.data[0] = packbits(x.stream);
    x.stream = packbits(x.stream);
    y.n = 1 + packbits(x.stream);
    let d = packbits(x.stream);
    y.data = reverse_bits(x.stream, x.wide);
}
