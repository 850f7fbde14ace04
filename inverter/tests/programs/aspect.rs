//! One size for both extents: the picture is a square.
//@ complete
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Square {
    size: u8,
    pixels: [u8; size * size],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Square, y: &mut Image) {
    y.height = x.size;
    y.width = x.size;
    for i in 0..x.size {
        for j in 0..x.size {
            y.data[i][j] = x.pixels[i * x.size + j];
        }
    }
}
