//! A picture whose rows are stored from the top or from the bottom, and its samples in either order.
//@ kind byte orders
//@ y {"w": 1, "h": 1, "v": [[[1, 2, 3]]]}
//@ y {"w": 4, "h": 5, "v": {"cycle": [{"cycle": [[1, 2, 3], [4, 5, 6]], "length": 4}, {"cycle": [[7, 8, 9]], "length": 4}], "length": 5}}
//@ y {"w": 30, "h": 40, "v": {"cycle": [{"cycle": [[1, 2, 3], [4, 5, 6]], "length": 30}, {"cycle": [[7, 8, 9]], "length": 30}], "length": 40}}

struct File {
    file: [u8],
}

struct Picture {
    w: u8,
    h: u8,
    v: [[[u8; 3]; w]; h],
}

fn normalize(x: &File, y: &mut Picture) {
    let w = u8(x.file, 0);
    let h = u8(x.file, 1);
    let up = u8(x.file, 2);
    let reversed = u8(x.file, 3);
    assume(up <= 1);
    assume(reversed <= 1);
    y.w = w;
    y.h = h;
    for r in 0..h {
        let row = if up == 1 { h - 1 - r } else { r };
        for c in 0..w {
            for k in 0..3 {
                let sample = if reversed == 1 { 2 - k } else { k };
                y.v[r][c][k] = x.file[4 + 3 * (row * w + c) + sample];
            }
        }
    }
}
