//! A matrix by rows or by columns, as a flag says.
//@ complete
//@ y {"rows": 2, "columns": 3, "data": [[1, 2, 3], [4, 5, 6]]}
//@ y {"rows": 1, "columns": 1, "data": [[1]]}

pub struct Stored {
    rows: u8,
    columns: u8,
    by_columns: u8,
    cells: [i16; rows * columns],
}

pub struct Matrix {
    rows: u8,
    columns: u8,
    data: [[i16; columns]; rows],
}

pub fn normalize(x: &Stored, y: &mut Matrix) {
    assume(x.by_columns <= 1);
    y.rows = x.rows;
    y.columns = x.columns;
    for i in 0..x.rows {
        for j in 0..x.columns {
            if x.by_columns == 1 {
                y.data[i][j] = x.cells[j * x.rows + i];
            } else {
                y.data[i][j] = x.cells[i * x.columns + j];
            }
        }
    }
}
