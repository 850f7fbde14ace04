//! Blocks of two bytes, each with the sum of its bytes behind it.
//@ complete
//@ y {"n": 2, "first": [1, 255], "second": [2, 255]}

pub struct Blocks {
    n: u8,
    bytes: [u8; 2 * n],
    sums: [u16; n],
}

pub struct Data {
    n: u8,
    first: [u8; n],
    second: [u8; n],
}

pub fn normalize(x: &Blocks, y: &mut Data) {
    y.n = x.n;
    for k in 0..x.n {
        y.first[k] = x.bytes[2 * k];
        y.second[k] = x.bytes[2 * k + 1];
        assume(x.sums[k] == x.bytes[2 * k] + x.bytes[2 * k + 1]);
    }
}
