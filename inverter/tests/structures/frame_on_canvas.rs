//! A frame on a canvas of one color, as a first frame of GIF is.
//@ kind guard
//@ y {"height": 3, "width": 4, "gray": [[0, 0, 0, 0], [0, 7, 8, 0], [0, 9, 0, 0]]}
//@ y {"height": 50, "width": 60, "gray": {"cycle": [{"cycle": [0, 0, 1, 2], "length": 60}], "length": 50}}

pub struct Stored {
    height: u8,
    width: u8,
    top: u8,
    left: u8,
    rows: u8,
    columns: u8,
    background: u8,
    frame: [[u8; columns]; rows],
}

pub struct Image {
    height: u8,
    width: u8,
    gray: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    assume(x.top + x.rows <= x.height);
    assume(x.left + x.columns <= x.width);
    for r in 0..x.height {
        for c in 0..x.width {
            if r >= x.top && r < x.top + x.rows && c >= x.left && c < x.left + x.columns {
                y.gray[r][c] = x.frame[r - x.top][c - x.left];
            } else {
                y.gray[r][c] = x.background;
            }
        }
    }
}
