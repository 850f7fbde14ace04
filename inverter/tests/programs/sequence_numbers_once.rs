//! Fragments that arrive in any order, each with its number; each number comes once.
//@ complete
//@ y {"n": 3, "data": [7, 8, 9]}
//@ y {"n": 0, "data": []}
//@ x {"n": 3, "number": [2, 0, 1], "fragment": [9, 7, 8]}

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
        assume(x.number[k] < x.n);
        for j in 0..k {
            assume(x.number[j] != x.number[k]);
        }
        y.data[x.number[k]] = x.fragment[k];
    }
}
