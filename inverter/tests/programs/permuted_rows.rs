//! Rows in any order, by a table.
//@ incomplete: rows of equal content never share their place
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}
//@ y {"height": 2, "width": 1, "data": [[5], [5]]}

pub struct Stored {
    height: u8,
    width: u8,
    #[element("row")]
    place: [u8; height],
    rows: [[u8; width]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.rows[x.place[i]][j];
        }
    }
}
