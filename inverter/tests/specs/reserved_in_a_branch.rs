struct X {
    n: u8,
    kinds: [u8; n],
    small: [u8],
    wide: [i16],
    place: u16,
    m: u8,
    factors: [u8; m],
}

struct Y {
    n: u8,
    values: [i16; n],
    m: u8,
    products: [i64; m],
}

fn normalize(x: &X, y: &mut Y) {
    y.m = x.m;
    y.n = x.n;
    for i in 0..x.n {
        if x.kinds[i] == 1 {
            y.values[i] = x.small[i];
        } else {
            y.values[i] = x.wide[i];
        }
    }
    reserve(x.wide[x.place..x.place + 4]);
    for i in 0..x.m {
        y.products[i] = x.place * x.factors[i];
    }
}
