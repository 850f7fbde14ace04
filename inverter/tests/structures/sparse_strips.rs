//! A strip without an offset is all zeros.
//@ kind guard
//@ y {"rows": 3, "width": 4, "gray": [[0, 0, 0, 0], [1, 2, 3, 4], [0, 0, 0, 9]]}
//@ y {"rows": 60, "width": 60, "gray": {"cycle": [{"cycle": [0], "length": 60}, {"cycle": [0, 1, 2], "length": 60}], "length": 60}}

pub struct File {
    rows: u8,
    width: u8,
    offset: [u16; rows],
    data: [u8; 8000],
}

pub struct Image {
    rows: u8,
    width: u8,
    gray: [[u8; width]; rows],
}

pub fn normalize(x: &File, y: &mut Image) {
    y.rows = x.rows;
    y.width = x.width;
    for r in 0..x.rows {
        for c in 0..x.width {
            if x.offset[r] == 0 {
                y.gray[r][c] = 0;
            } else {
                y.gray[r][c] = x.data[x.offset[r] + c];
            }
        }
    }
}
