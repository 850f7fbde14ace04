//! Fragments that arrive in any order, each with its number.
//@ refused: an output element may be assigned twice, and another never; numbers assumed to be different and below n make it a spec

pub struct Fragments {
    n: u8,
    number: [u8; n],
    fragment: [u8; n],
}

pub struct Message {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Fragments, y: &mut Message) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[x.number[k]] = x.fragment[k];
    }
}
