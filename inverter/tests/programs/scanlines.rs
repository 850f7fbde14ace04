//! PNG scanlines: each row has a filter byte in front.
//@ complete
//@ y {"height": 2, "width": 2, "filters": [0, 4], "data": [[1, 2], [3, 4]]}
//@ y {"height": 1, "width": 0, "filters": [1], "data": [[]]}

pub struct Scanlines {
    height: u8,
    width: u8,
    bytes: [u8; height * (width + 1)],
}

pub struct Rows {
    height: u8,
    width: u8,
    filters: [u8; height],
    data: [[u8; width]; height],
}

pub fn normalize(x: &Scanlines, y: &mut Rows) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        let row = i * (x.width + 1);
        y.filters[i] = x.bytes[row];
        for j in 0..x.width {
            y.data[i][j] = x.bytes[row + 1 + j];
        }
    }
}
