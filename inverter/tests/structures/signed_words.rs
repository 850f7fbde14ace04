//! Signed samples of two bytes: the high byte has the sign.
//@ kind byte order
//@ y {"n": 3, "v": [-2, 0, 300]}
//@ y {"n": 4000, "v": {"cycle": [-32768, 32767, -1, 0, 257, -300], "length": 4000}}

pub struct Stored {
    n: u16,
    high: [i8; n],
    low: [u8; n],
}

pub struct Samples {
    n: u16,
    v: [i16; n],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = 256 * x.high[k] + x.low[k];
    }
}
