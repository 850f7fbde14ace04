//! Three samples a pixel, beside one another or in planes of their own, as a code says.
//@ complete
//@ y {"height": 1, "width": 2, "data": [[[1, 2, 3], [4, 5, 6]]]}

pub struct Stored {
    height: u8,
    width: u8,
    configuration: u8,
    samples: [u8; 3 * height * width],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[[u8; 3]; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.configuration == 1 || x.configuration == 2);
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            for c in 0..3 {
                if x.configuration == 1 {
                    y.data[i][j][c] = x.samples[(i * x.width + j) * 3 + c];
                } else {
                    y.data[i][j][c] = x.samples[(c * x.height + i) * x.width + j];
                }
            }
        }
    }
}
