//! A picture whose rows are stored from the top or from the bottom.
//@ kind byte orders
//@ y {"w": 1, "h": 1, "v": [[1]]}
//@ y {"w": 4, "h": 5, "v": {"cycle": [{"cycle": [1, 2, 3], "length": 4}, {"cycle": [7, 8], "length": 4}], "length": 5}}

struct File {
    file: [u8],
}

struct Picture {
    w: u8,
    h: u8,
    v: [[u8; w]; h],
}

fn normalize(x: &File, y: &mut Picture) {
    let w = u8(x.file, 0);
    let h = u8(x.file, 1);
    let up = u8(x.file, 2);
    assume(up <= 1);
    y.w = w;
    y.h = h;
    for r in 0..h {
        let row = if up == 1 { h - 1 - r } else { r };
        for c in 0..w {
            y.v[r][c] = x.file[3 + row * w + c];
        }
    }
}
