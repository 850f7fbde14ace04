//! Points of a grid of three dimensions, no two of them the same.
//@ kind distinct
//@ y {"n": 3, "value": [1, 2, 3]}
//@ y {"n": 27, "value": {"cycle": [1, 2, 3], "length": 27}}

pub struct Points {
    n: u16,
    across: [u8; n],
    down: [u8; n],
    deep: [u8; n],
    value: [u8; n],
}

pub struct Values {
    n: u16,
    value: [u8; n],
}

pub fn normalize(x: &Points, y: &mut Values) {
    y.n = x.n;
    for i in 0..x.n {
        assume(x.across[i] < 3);
        assume(x.down[i] < 3);
        assume(x.deep[i] < 3);
        for j in 0..i {
            assume(x.down[j] != x.down[i] || x.across[i] != x.across[j] || x.deep[i] != x.deep[j]);
        }
        y.value[i] = x.value[i];
    }
}
