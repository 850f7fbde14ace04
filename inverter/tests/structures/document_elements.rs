//! The elements of a document in BSON: texts with their size, and numbers of four and of eight bytes, anywhere in the file.
//@ kind guard
//@ y {"n": 1, "kind": [2], "number": [3], "text": [[65, 66, 67, 0, 0, 0]]}
//@ y {"n": 4, "kind": [16, 18, 2, 2], "number": [77777, 5, 0, 6], "text": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6]]}
//@ y {"n": 500, "kind": {"cycle": [2, 16, 18, 2, 2], "length": 500}, "number": {"cycle": [6, 1, 4000000000, 0, 2], "length": 500}, "text": {"cycle": [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [9, 8, 0, 0, 0, 0]], "length": 500}}

pub struct Stored {
    n: u16,
    at: [u32; n],
    file: [u8],
}

pub struct Document {
    n: u16,
    kind: [u8; n],
    number: [u32; n],
    text: [[u8; 6]; n],
}

pub fn normalize(x: &Stored, y: &mut Document) {
    y.n = x.n;
    for k in 0..x.n {
        let kind = u8(x.file, x.at[k]);
        assume(kind == 2 || kind == 16 || kind == 18);
        y.kind[k] = kind;
        if kind == 2 {
            let size = u32le(x.file, x.at[k] + 1);
            assume(size >= 1 && size <= 7);
            y.number[k] = size - 1;
            for b in 0..6 {
                if b + 1 < size {
                    y.text[k][b] = x.file[x.at[k] + 5 + b];
                } else {
                    y.text[k][b] = 0;
                }
            }
            assume(x.file[x.at[k] + 4 + size] == 0);
        } else {
            for b in 0..6 {
                y.text[k][b] = 0;
            }
            if kind == 16 {
                y.number[k] = u32le(x.file, x.at[k] + 1);
            } else {
                y.number[k] = u32le(x.file, x.at[k] + 1);
                assume(u32le(x.file, x.at[k] + 5) == 0);
            }
        }
    }
}
