//! The table of offsets stands in the file itself, in front of what it points to.
//@ complete
//@ y {"n": 2, "values": [7, 8]}
//@ y {"n": 0, "values": []}

pub struct File {
    n: u8,
    words: [u8; 12],
}

pub struct Values {
    n: u8,
    values: [u8; n],
}

pub fn normalize(x: &File, y: &mut Values) {
    assume(x.n <= 4);
    y.n = x.n;
    for k in 0..x.n {
        assume(x.words[k] >= x.n);
        y.values[k] = x.words[x.words[k]];
    }
}
