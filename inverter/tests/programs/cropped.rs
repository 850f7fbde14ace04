//! A window of a larger picture.
//@ complete
//@ y {"height": 1, "width": 2, "data": [[1, 2]]}
//@ y {"height": 2, "width": 1, "data": [[1], [2]]}

pub struct Picture {
    rows: u8,
    columns: u8,
    top: u8,
    left: u8,
    height: u8,
    width: u8,
    pixels: [[u8; columns]; rows],
}

pub struct Window {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Picture, y: &mut Window) {
    y.height = x.height;
    y.width = x.width;
    assume(x.rows <= 8 && x.columns <= 8);
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.pixels[x.top + i][x.left + j];
        }
    }
}
