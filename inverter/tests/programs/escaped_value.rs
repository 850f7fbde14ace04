//! A small value as it is, a large one as 255 and an extension.
//@ complete
//@ y {"n": 3, "values": [3, 255, 300]}

pub struct Escaped {
    n: u8,
    first: [u8; n],
    more: [u16; n],
}

pub struct Values {
    n: u8,
    values: [u32; n],
}

pub fn normalize(x: &Escaped, y: &mut Values) {
    y.n = x.n;
    for k in 0..x.n {
        if x.first[k] == 255 {
            y.values[k] = 255 + x.more[k];
        } else {
            y.values[k] = x.first[k];
        }
    }
}
