//! The upper two bits of each byte are a kind, the lower six its value.
//@ y {"n": 3, "kind": [0, 3, 1], "value": [63, 0, 5]}
//@ y {"n": 2000, "kind": {"cycle": [0, 3, 1], "length": 2000}, "value": {"cycle": [63, 0, 5, 17], "length": 2000}}

pub struct Packed {
    n: u16,
    bytes: [u8; n],
}

pub struct Fields {
    n: u16,
    kind: [u8; n],
    value: [u8; n],
}

pub fn normalize(x: &Packed, y: &mut Fields) {
    y.n = x.n;
    for k in 0..x.n {
        y.kind[k] = x.bytes[k] >> 6;
        y.value[k] = x.bytes[k] & 0x3f;
    }
}
