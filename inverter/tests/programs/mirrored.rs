//! TIFF orientation: the first row may be the top or the bottom one, the first column the
//! left or the right one.
//@ complete
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}
//@ y {"height": 1, "width": 2, "data": [[7, 7]]}

pub struct Stored {
    height: u8,
    width: u8,
    orientation: u8,
    pixels: [u8; height * width],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.orientation >= 1 && x.orientation <= 4);
    let mirrored = x.orientation == 2 || x.orientation == 3;
    let flipped = x.orientation == 3 || x.orientation == 4;
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            if mirrored && flipped {
                y.data[i][j] = x.pixels[(x.height - 1 - i) * x.width + x.width - 1 - j];
            } else if mirrored {
                y.data[i][j] = x.pixels[i * x.width + x.width - 1 - j];
            } else if flipped {
                y.data[i][j] = x.pixels[(x.height - 1 - i) * x.width + j];
            } else {
                y.data[i][j] = x.pixels[i * x.width + j];
            }
        }
    }
}
