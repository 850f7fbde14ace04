//! Rows, each with a byte that says whether it is stored as it is or inverted.
//@ complete
//@ y {"height": 2, "width": 1, "data": [[1], [255]]}

pub struct Filtered {
    height: u8,
    width: u8,
    filter: [u8; height],
    rows: [[u8; width]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Filtered, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        assume(x.filter[i] <= 1);
        for j in 0..x.width {
            if x.filter[i] == 1 {
                y.data[i][j] = 255 - x.rows[i][j];
            } else {
                y.data[i][j] = x.rows[i][j];
            }
        }
    }
}
