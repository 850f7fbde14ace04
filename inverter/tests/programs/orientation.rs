//! Two ways to store a picture, and a flag that says which.
//@ complete
//@ y {"height": 2, "width": 1, "pixels": [[1], [2]]}
//@ y {"height": 2, "width": 1, "pixels": [[3], [3]]}

pub struct Stored {
    flipped: u8,
    height: u8,
    width: u8,
    pixels: [[u8; width]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    pixels: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.flipped <= 1);
    y.height = x.height;
    y.width = x.width;
    if x.flipped == 0 {
        for i in 0..x.height {
            for j in 0..x.width {
                y.pixels[i][j] = x.pixels[i][j];
            }
        }
    } else {
        for i in 0..x.height {
            for j in 0..x.width {
                y.pixels[x.height - 1 - i][j] = x.pixels[i][j];
            }
        }
    }
}
