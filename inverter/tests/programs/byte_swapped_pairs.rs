//! A stream of bytes whose neighbors may be swapped.
//@ complete
//@ y {"n": 4, "bytes": [1, 2, 3, 4]}

pub struct Swapped {
    n: u8,
    swapped: u8,
    bytes: [u8; n],
}

pub struct Plain {
    n: u8,
    bytes: [u8; n],
}

pub fn normalize(x: &Swapped, y: &mut Plain) {
    assume(x.swapped <= 1 && x.n % 2 == 0);
    y.n = x.n;
    for k in 0..x.n {
        if x.swapped == 1 {
            y.bytes[k] = x.bytes[k + 1 - 2 * (k % 2)];
        } else {
            y.bytes[k] = x.bytes[k];
        }
    }
}
