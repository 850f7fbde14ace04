//! A table that is stored twice, as a FAT file system does: both copies must agree.
//@ complete
//@ y {"n": 2, "table": [1, 2]}

pub struct Volume {
    n: u8,
    first: [u16; n],
    second: [u16; n],
}

pub struct Table {
    n: u8,
    table: [u16; n],
}

pub fn normalize(x: &Volume, y: &mut Table) {
    y.n = x.n;
    for k in 0..x.n {
        y.table[k] = x.first[k];
        assume(x.second[k] == x.first[k]);
    }
}
