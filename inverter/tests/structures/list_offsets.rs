//! Lists as Arrow stores them: the offsets of their ends rise, and the first is any.
//@ kind monotone
//@ y {"n": 3, "length": [2, 0, 5]}
//@ y {"n": 4000, "length": {"cycle": [3, 0, 1, 7], "length": 4000}}

pub struct Lists {
    n: u16,
    offset: [u32; n + 1],
}

pub struct Lengths {
    n: u16,
    length: [u32; n],
}

pub fn normalize(x: &Lists, y: &mut Lengths) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.offset[k] <= x.offset[k + 1]);
    }
    for k in 0..x.n {
        y.length[k] = x.offset[k + 1] - x.offset[k];
    }
}
