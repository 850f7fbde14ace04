//@ kind offset table
//@ y {"count": 1, "width": 5, "len": [3], "text": "0..256 up to len"}
//@ y {"count": 4, "width": 6, "len": [0, 6, 2, 1], "text": "0..256 up to len"}
//@ y {"count": 120, "width": 30, "len": "0..31", "text": "0..256 up to len"}
struct F { file: [u8] }
struct P { count: u16, width: u8, len: [u8; count], text: [[u8; width]; count] }

/// A table of (offset, length) pairs; what is shorter is padded with zeros.
fn normalize(x: &F, y: &mut P) {
    let count = u16be(x.file, 0);
    let width = u8(x.file, 2);
    y.count = count;
    y.width = width;
    for i in 0..count {
        let place = u32be(x.file, 4 + 8 * i);
        let len = u32be(x.file, 8 + 8 * i);
        assume(len <= width);
        y.len[i] = len;
        for b in 0..width {
            if b < len {
                y.text[i][b] = x.file[place + b];
            } else {
                y.text[i][b] = 0;
            }
        }
    }
}
