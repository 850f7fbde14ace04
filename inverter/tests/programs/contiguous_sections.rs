//! Two sections without a gap between them, somewhere in the file.
//@ incomplete: the place of empty sections is always 0
//@ y {"n": 2, "first": [1, 2], "second": [3, 4]}
//@ y {"n": 0, "first": [], "second": []}

pub struct File {
    n: u8,
    start: u8,
    file: [u8],
}

pub struct Sections {
    n: u8,
    first: [u8; n],
    second: [u8; n],
}

pub fn normalize(x: &File, y: &mut Sections) {
    y.n = x.n;
    for k in 0..x.n {
        y.first[k] = x.file[x.start + k];
        y.second[k] = x.file[x.start + x.n + k];
    }
}
