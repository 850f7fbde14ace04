//! Rows padded to a multiple of an alignment that the header names.
//@ complete
//@ y {"height": 2, "width": 3, "data": [[1, 2, 3], [4, 5, 6]]}

pub struct Stored {
    height: u8,
    width: u8,
    alignment: u8,
    bytes: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.alignment == 1 || x.alignment == 2 || x.alignment == 4 || x.alignment == 8);
    y.height = x.height;
    y.width = x.width;
    let pitch = div_ceil(x.width, x.alignment) * x.alignment;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.bytes[i * pitch + j];
        }
    }
}
