//! A photograph that may lie on its side: its stored height is then the picture's width.
//@ complete
//@ y {"height": 1, "width": 2, "data": [[1, 2]]}
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Photograph {
    rotated: u8,
    rows: u8,
    columns: u8,
    pixels: [[u8; columns]; rows],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Photograph, y: &mut Image) {
    assume(x.rotated <= 1);
    if x.rotated == 0 {
        y.height = x.rows;
        y.width = x.columns;
    } else {
        y.height = x.columns;
        y.width = x.rows;
    }
    for i in 0..x.rows {
        for j in 0..x.columns {
            if x.rotated == 0 {
                y.data[i][j] = x.pixels[i][j];
            } else {
                y.data[j][x.rows - 1 - i] = x.pixels[i][j];
            }
        }
    }
}
