//! A Windows bitmap: rows from the bottom up, or from the top down if the height is negative.
//@ complete
//@ y {"height": 2, "width": 1, "data": [[1], [2]]}
//@ y {"height": 1, "width": 0, "data": [[]]}

pub struct Bitmap {
    height: i16,
    width: u16,
    bits: [u8],
}

pub struct Image {
    height: u16,
    width: u16,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Bitmap, y: &mut Image) {
    let rows = max(x.height, -x.height);
    y.height = rows;
    y.width = x.width;
    for i in 0..rows {
        for j in 0..x.width {
            if x.height < 0 {
                y.data[i][j] = x.bits[i * x.width + j];
            } else {
                y.data[i][j] = x.bits[(rows - 1 - i) * x.width + j];
            }
        }
    }
}
