//! A bitmap whose rows are padded to a multiple of four bytes.
//@ complete
//@ y {"height": 2, "width": 3, "data": [[1, 2, 3], [1, 2, 3]]}
//@ y {"height": 1, "width": 0, "data": [[]]}

pub struct Bitmap {
    height: u16,
    width: u16,
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
    let pitch = 4 * div_ceil(x.width, 4);
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.bits[i * pitch + j];
        }
    }
}
