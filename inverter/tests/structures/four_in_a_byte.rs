//! Four samples of two bits in each byte, the first one in the upper bits.
//@ y {"n": 2, "gray": [[0, 1, 2, 3], [3, 3, 0, 1]]}
//@ y {"n": 1000, "gray": {"cycle": [[0, 1, 2, 3], [3, 3, 0, 1], [2, 0, 0, 0]], "length": 1000}}

pub struct Packed {
    n: u16,
    bytes: [u8; n],
}

pub struct Samples {
    n: u16,
    gray: [[u8; 4]; n],
}

pub fn normalize(x: &Packed, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        y.gray[k][0] = x.bytes[k] >> 6;
        y.gray[k][1] = (x.bytes[k] >> 4) & 3;
        y.gray[k][2] = (x.bytes[k] >> 2) & 3;
        y.gray[k][3] = x.bytes[k] & 3;
    }
}
