//! A matrix by columns with a leading dimension, as linear algebra libraries pass it.
//@ incomplete: with one column, any leading dimension would do
//@ y {"rows": 2, "columns": 2, "data": [[1, 2], [3, 4]]}

pub struct Stored {
    rows: u8,
    columns: u8,
    leading: u8,
    cells: [i16],
}

pub struct Matrix {
    rows: u8,
    columns: u8,
    data: [[i16; columns]; rows],
}

pub fn normalize(x: &Stored, y: &mut Matrix) {
    assume(x.leading >= max(x.rows, 1));
    y.rows = x.rows;
    y.columns = x.columns;
    for i in 0..x.rows {
        for j in 0..x.columns {
            y.data[i][j] = x.cells[j * x.leading + i];
        }
    }
}
