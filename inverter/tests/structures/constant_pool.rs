//! The constant pool of a class of Java: entries of three kinds and different sizes, one after another.
//@ kind guard
//@ y {"n": 0, "tag": [], "num": [], "text": []}
//@ y {"n": 5, "tag": [1, 3, 7, 1, 3], "num": [2, 70000, 300, 0, 9], "text": [[1, 2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]}
//@ y {"n": 400, "tag": {"cycle": [1, 3, 7, 1], "length": 400}, "num": {"cycle": [8, 70000, 300, 3], "length": 400}, "text": {"cycle": [[1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [7, 0, 9, 0, 0, 0, 0, 0]], "length": 400}}

pub struct Stored {
    n: u16,
    at: [u32; n + 1],
    file: [u8],
}

pub struct Pool {
    n: u16,
    tag: [u8; n],
    num: [u32; n],
    text: [[u8; 8]; n],
}

pub fn normalize(x: &Stored, y: &mut Pool) {
    assume(bytes(x.file, 0) == b"\xca\xfe\xba\xbe");
    assume(u16be(x.file, 8) == x.n + 1);
    y.n = x.n;
    assume(x.at[0] == 10);
    for k in 0..x.n {
        let tag = u8(x.file, x.at[k]);
        assume(tag == 1 || tag == 3 || tag == 7);
        y.tag[k] = tag;
        if tag == 1 {
            let size = u16be(x.file, x.at[k] + 1);
            assume(size <= 8);
            y.num[k] = size;
            for b in 0..8 {
                if b < size {
                    y.text[k][b] = x.file[x.at[k] + 3 + b];
                } else {
                    y.text[k][b] = 0;
                }
            }
            assume(x.at[k + 1] == x.at[k] + 3 + size);
        } else {
            for b in 0..8 {
                y.text[k][b] = 0;
            }
            if tag == 3 {
                let number = u32be(x.file, x.at[k] + 1);
                y.num[k] = number;
                assume(x.at[k + 1] == x.at[k] + 5);
            } else {
                let number = u16be(x.file, x.at[k] + 1);
                y.num[k] = number;
                assume(x.at[k + 1] == x.at[k] + 3);
            }
        }
    }
}
