//! Pictures in blocks of two by two, as video codecs and textures have them.
//@ complete
//@ y {"rows": 1, "columns": 2, "data": [[1, 2, 5, 6], [3, 4, 7, 8]]}

pub struct Blocks {
    rows: u8,
    columns: u8,
    bytes: [u8; 4 * rows * columns],
}

pub struct Image {
    rows: u8,
    columns: u8,
    data: [[u8; 2 * columns]; 2 * rows],
}

pub fn normalize(x: &Blocks, y: &mut Image) {
    y.rows = x.rows;
    y.columns = x.columns;
    for a in 0..x.rows {
        for b in 0..x.columns {
            for i in 0..2 {
                for j in 0..2 {
                    y.data[2 * a + i][2 * b + j] = x.bytes[4 * (a * x.columns + b) + 2 * i + j];
                }
            }
        }
    }
}
