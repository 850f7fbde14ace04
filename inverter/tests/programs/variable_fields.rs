//! Names of different lengths, one behind the other without a table of places: each begins
//! where the one before it ends, which the entry tells.
//@ incomplete: names of equal content never share their place
//@ y {"n": 2, "lengths": [1, 2], "names": [[5, 0], [6, 7]]}
//@ x {"n": 2, "starts": [0, 1, 3], "text": [5, 6, 7]}

pub struct Names {
    n: u8,
    starts: [u8; n + 1],
    text: [u8],
}

pub struct Table {
    n: u8,
    lengths: [u8; n],
    names: [[u8; 2]; n],
}

pub fn normalize(x: &Names, y: &mut Table) {
    y.n = x.n;
    assume(x.starts[0] == 0);
    for k in 0..x.n {
        let length = x.starts[k + 1] - x.starts[k];
        assume(length >= 0 && length <= 2);
        y.lengths[k] = length;
        for b in 0..2 {
            if b < length {
                y.names[k][b] = x.text[x.starts[k] + b];
            } else {
                y.names[k][b] = 0;
            }
        }
    }
}
