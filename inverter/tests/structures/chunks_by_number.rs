//! Blocks of a disk image in any order, behind an index: each has the number of its place, which no later one has.
//@ kind distinct
//@ y {"n": 1, "block": [[1, 2, 3, 4]]}
//@ y {"n": 250, "block": {"cycle": [[0, 0, 0, 0], [9, 8, 7, 6], [9, 8, 7, 5]], "length": 250}}

pub struct Image {
    file: [u8],
}

pub struct Disk {
    n: u8,
    block: [[u8; 4]; n],
}

pub fn normalize(x: &Image, y: &mut Disk) {
    let n = u8(x.file, 3);
    let start = u32le(x.file, 4);
    y.n = n;
    for k in 0..n {
        let place = u8(x.file, 8 + k);
        assume(place < n);
        for later in 0..n - k - 1 {
            assume(u8(x.file, 8 + k + 1 + later) != place);
        }
        for b in 0..4 {
            y.block[place][b] = x.file[start + 4 * k + b];
        }
    }
}
