//! A bitmap with its last row first.
//@ incomplete: with one row any pitch would do
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}
//@ y {"height": 1, "width": 0, "data": [[]]}

pub struct Bitmap {
    height: u16,
    width: u16,
    pitch: u32,
    bits: [u8],
}

pub struct Image {
    height: u16,
    width: u16,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Bitmap, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.bits[(x.height - 1 - i) * x.pitch + j];
        }
    }
}
