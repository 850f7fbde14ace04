//! A surface with a distance between pixels and one between rows, both chosen.
//@ incomplete: with one row or column, any distance would do
//@ values 3
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Surface {
    height: u8,
    width: u8,
    pixel_stride: u8,
    row_stride: u8,
    bytes: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Surface, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.bytes[i * x.row_stride + j * x.pixel_stride];
        }
    }
}
