//! Entries of an index in any order: each carries the number of the value that it stands for, and all numbers differ.
//@ kind distinct
//@ y {"n": 0, "size": []}
//@ y {"n": 5, "size": [9, 8, 7, 6, 9]}
//@ y {"n": 400, "size": {"cycle": [3, 0, 1, 7, 65535], "length": 400}}

pub struct File {
    file: [u8],
}

pub struct Values {
    n: u16,
    size: [u16; n],
}

pub fn normalize(x: &File, y: &mut Values) {
    let n = u16be(x.file, 0);
    y.n = n;
    for k in 0..n {
        let number = u16be(x.file, 4 + 4 * k);
        assume(number < n);
        for earlier in 0..k {
            assume(number != u16be(x.file, 4 + 4 * earlier));
        }
        y.size[number] = u16be(x.file, 6 + 4 * k);
    }
}
