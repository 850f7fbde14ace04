struct X {
    n: u8,
    stream: [u8],
    other: [u8],
}

struct Y {
    n: u8,
    first: u8,
    data: [u8; n],
    more: [u8; n],
    rest: [u8; n],
}

fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    y.first = x.stream[0];
    reserve(x.stream[0..1]);
    y.data = packbits(x.stream);
    if x.n > 2 {
        y.more = packbits(x.other);
    } else {
        y.more = reverse_bits(x.other, 0);
    }
    y.more = packbits(x.other);
    for i in 0..x.n {
        y.data[i] = x.n;
        y.rest = packbits(x.stream);
    }
}
