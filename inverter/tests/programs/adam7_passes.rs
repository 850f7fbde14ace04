//! Three passes over a picture as PNG makes them, each a picture of its own in the data.
//@ complete
//@ y {"height": 3, "width": 2, "data": [[1, 2], [3, 4], [5, 6]]}

pub struct Passes {
    height: u8,
    width: u8,
    first: [[u8; div_ceil(width, 2)]; div_ceil(height, 2)],
    second: [[u8; width / 2]; div_ceil(height, 2)],
    third: [[u8; width]; height / 2],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Passes, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..div_ceil(x.height, 2) {
        for j in 0..div_ceil(x.width, 2) {
            y.data[2 * i][2 * j] = x.first[i][j];
        }
        for j in 0..x.width / 2 {
            y.data[2 * i][2 * j + 1] = x.second[i][j];
        }
    }
    for i in 0..x.height / 2 {
        for j in 0..x.width {
            y.data[2 * i + 1][j] = x.third[i][j];
        }
    }
}
