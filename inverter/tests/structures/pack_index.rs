//! The index of a pack of git: for each first digit (of four bits here), the number of identifiers up to it; identifiers
//! are sorted.
//@ kind monotone
//@ y {"n": 4, "crc": [9, 8, 7, 6]}
//@ y {"n": 12, "crc": [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 8]}

pub struct Index {
    n: u16,
    fan: [u32; 16],
    id: [u32; n],
    crc: [u32; n],
}

pub struct Values {
    n: u16,
    crc: [u32; n],
}

pub fn normalize(x: &Index, y: &mut Values) {
    y.n = x.n;
    assume(x.fan[15] == x.n);
    for b in 0..15 {
        assume(x.fan[b] <= x.fan[b + 1]);
    }
    for k in 0..x.n - 1 {
        assume(x.id[k] < x.id[k + 1]);
    }
    for k in 0..x.n {
        for b in 0..15 {
            assume(k >= x.fan[b] || x.id[k] < 268435456 * (b + 1));
            assume(k < x.fan[b] || x.id[k] >= 268435456 * (b + 1));
        }
        y.crc[k] = x.crc[k];
    }
}
