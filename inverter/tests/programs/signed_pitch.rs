//! A surface whose pitch may be negative: then the first row is the last one in the bytes.
//@ complete
//@ values 3
//@ y {"height": 2, "width": 1, "data": [[1], [2]]}

pub struct Surface {
    height: u8,
    width: u8,
    start: u16,
    pitch: i8,
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
            y.data[i][j] = x.bytes[x.start + i * x.pitch + j];
        }
    }
}
