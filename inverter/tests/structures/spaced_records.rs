//! Records in the order of a table of offsets, with gaps between them.
//@ kind offset table
//@ y {"n": 3, "length": [2, 0, 1], "byte": [[7, 8, 0, 0], [0, 0, 0, 0], [9, 0, 0, 0]]}
//@ y {"n": 900, "length": {"cycle": [4, 2, 0, 3], "length": 900}, "byte": {"cycle": [[1, 2, 3, 4], [5, 6, 0, 0], [0, 0, 0, 0], [7, 8, 9, 0]], "length": 900}}

pub struct Stored {
    n: u16,
    offset: [u32; n],
    length: [u8; n],
    file: [u8],
}

pub struct Records {
    n: u16,
    length: [u8; n],
    byte: [[u8; 4]; n],
}

pub fn normalize(x: &Stored, y: &mut Records) {
    y.n = x.n;
    for k in 0..x.n {
        y.length[k] = x.length[k];
        if k + 1 < x.n {
            assume(x.offset[k] + x.length[k] <= x.offset[k + 1]);
        }
        for b in 0..4 {
            if b < x.length[k] {
                y.byte[k][b] = x.file[x.offset[k] + b];
            } else {
                y.byte[k][b] = 0;
            }
        }
    }
}
