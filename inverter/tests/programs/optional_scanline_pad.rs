//! Rows padded to an even size, unless the flag says that they are packed; and the flag is
//! only looked at if the width is odd.
//@ complete
//@ y {"height": 2, "width": 1, "data": [[1], [2]]}
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Rows {
    height: u8,
    width: u8,
    packed: u8,
    bytes: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Rows, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            if x.width % 2 == 1 && !(x.packed == 1) {
                y.data[i][j] = x.bytes[i * (x.width + 1) + j];
            } else {
                y.data[i][j] = x.bytes[i * x.width + j];
            }
        }
    }
}
