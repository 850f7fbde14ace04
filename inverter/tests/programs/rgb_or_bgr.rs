//! A true-color bitmap whose channels come in one of two orders.
//@ complete
//@ y {"height": 1, "width": 2, "data": [[[1, 2, 3], [4, 4, 4]]]}

pub struct Bitmap {
    height: u8,
    width: u8,
    bgr: u8,
    pixels: [u8; 3 * width * height],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[[u8; 3]; width]; height],
}

pub fn normalize(x: &Bitmap, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    assume(x.bgr <= 1);
    for i in 0..x.height {
        for j in 0..x.width {
            for c in 0..3 {
                if x.bgr == 1 {
                    y.data[i][j][c] = x.pixels[(i * x.width + j) * 3 + 2 - c];
                } else {
                    y.data[i][j][c] = x.pixels[(i * x.width + j) * 3 + c];
                }
            }
        }
    }
}
