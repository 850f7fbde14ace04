//! Records one after the other: each offset is that of the record before, and its length.
//@ kind monotone
//@ y {"n": 3, "length": [2, 1, 4], "first": [7, 8, 9]}
//@ y {"n": 1500, "length": {"cycle": [3, 1, 2, 7], "length": 1500}, "first": {"cycle": [5, 6, 5, 9], "length": 1500}}

pub struct Stored {
    n: u16,
    offset: [u32; n + 1],
    length: [u8; n],
    file: [u8],
}

pub struct Records {
    n: u16,
    length: [u8; n],
    first: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Records) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.length[k] >= 1);
        y.length[k] = x.length[k];
        assume(x.offset[k + 1] == x.offset[k] + x.length[k]);
        y.first[k] = x.file[x.offset[k]];
    }
}
