//! A surface whose pixels have `depth` bytes, of which the first is shown: the distance of
//! two rows is a product of scalars, of which one is a choice.
//@ incomplete: with one pixel, any distance would do
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Surface {
    height: u8,
    width: u8,
    depth: u8,
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
            y.data[i][j] = x.bytes[i * x.width * x.depth + j * x.depth];
        }
    }
}
