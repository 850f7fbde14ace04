//! Rows that are scanned to and fro.
//@ complete
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Scan {
    height: u8,
    width: u8,
    samples: [u8; height * width],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Scan, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            if i % 2 == 0 {
                y.data[i][j] = x.samples[i * x.width + j];
            } else {
                y.data[i][j] = x.samples[i * x.width + x.width - 1 - j];
            }
        }
    }
}
