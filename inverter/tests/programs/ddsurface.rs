//! A DirectDraw surface: rows of bytes, each `pitch` after the one before, so that there
//! may be slack at the end of a row.
//@ incomplete: with one row any pitch would do
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}
//@ y {"height": 2, "width": 1, "data": [[7], [7]]}
//@ x {"height": 2, "width": 1, "pitch": 3, "surface": [1, 0, 0, 2, 0]}

pub struct Surface {
    height: u32,
    width: u32,
    pitch: u32,
    surface: [u8],
}

pub struct Image {
    height: u32,
    width: u32,
    data: [[u8; width]; height],
}

pub fn normalize(D: &Surface, N: &mut Image) {
    N.height = D.height;
    N.width = D.width;
    for i in 0..D.height {
        for j in 0..D.width {
            N.data[i][j] = D.surface[i * D.pitch + j];
        }
    }
}
