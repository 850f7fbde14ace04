//! A sequence in two arrays; how long each one is, is a choice.
//@ complete
//@ y {"n": 3, "data": [1, 2, 3]}
//@ y {"n": 0, "data": []}

pub struct Parts {
    head_size: u8,
    tail_size: u8,
    head: [u8; head_size],
    tail: [u8; tail_size],
}

pub struct Whole {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Parts, y: &mut Whole) {
    y.n = x.head_size + x.tail_size;
    for k in 0..x.head_size {
        y.data[k] = x.head[k];
    }
    for k in 0..x.tail_size {
        y.data[x.head_size + k] = x.tail[k];
    }
}
