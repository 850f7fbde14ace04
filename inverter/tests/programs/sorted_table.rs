//! A table whose keys must ascend.
//@ complete
//@ values 3
//@ y {"n": 2, "total": 5}
//@ y {"n": 0, "total": 0}

pub struct Table {
    n: u8,
    starts: [u8; n + 1],
}

pub struct Extent {
    n: u8,
    total: u8,
}

pub fn normalize(x: &Table, y: &mut Extent) {
    y.n = x.n;
    assume(x.starts[0] == 0);
    for k in 0..x.n {
        assume(x.starts[k] <= x.starts[k + 1]);
    }
    y.total = x.starts[x.n];
}
