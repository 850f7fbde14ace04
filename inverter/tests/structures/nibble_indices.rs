//! Two indices to the byte, and a palette of sixteen gray values.
//@ kind dictionary
//@ y {"n": 2, "gray": [[1, 2], [2, 1]]}
//@ y {"n": 2000, "gray": {"cycle": [[10, 20], [20, 30], [40, 10]], "length": 2000}}

pub struct Indexed {
    n: u16,
    palette: [u8; 16],
    pairs: [u8; n],
}

pub struct Image {
    n: u16,
    gray: [[u8; 2]; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.gray[k][0] = x.palette[x.pairs[k] >> 4];
        y.gray[k][1] = x.palette[x.pairs[k] & 0x0f];
    }
}
