//! Two tables in one file, each with an offset; the second has entries of two bytes.
//@ incomplete: tables of equal content never share their place
//@ y {"n": 2, "keys": [1, 2], "low": [3, 4], "high": [5, 6]}
//@ x {"n": 2, "keys": 4, "values": 0, "file": [3, 5, 4, 6, 1, 2]}

pub struct File {
    n: u8,
    keys: u8,
    values: u8,
    file: [u8],
}

pub struct Map {
    n: u8,
    keys: [u8; n],
    low: [u8; n],
    high: [u8; n],
}

pub fn normalize(x: &File, y: &mut Map) {
    y.n = x.n;
    assume(x.values % 2 == 0);
    for k in 0..x.n {
        y.keys[k] = x.file[x.keys + k];
        y.low[k] = x.file[x.values + 2 * k];
        y.high[k] = x.file[x.values + 2 * k + 1];
    }
}
