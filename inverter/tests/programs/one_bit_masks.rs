//! Eight flags in a byte.
//@ complete
//@ y {"n": 2, "bit0": [1, 0], "bit1": [0, 0], "bit7": [0, 1]}

pub struct Packed {
    n: u8,
    flags: [u8; n],
}

pub struct Flags {
    n: u8,
    bit0: [u8; n],
    bit1: [u8; n],
    bit7: [u8; n],
}

pub fn normalize(x: &Packed, y: &mut Flags) {
    y.n = x.n;
    for k in 0..x.n {
        y.bit0[k] = x.flags[k] % 2;
        y.bit1[k] = x.flags[k] / 2 % 2;
        y.bit7[k] = x.flags[k] / 128;
    }
}
