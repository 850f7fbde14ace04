//! Rows of a sparse matrix, each with a place and a number of entries, as a table of fixed width in which 255 is no column.
//@ kind offset table
//@ y {"rows": 3, "column": [[3, 7, 9, 255, 255], [255, 255, 255, 255, 255], [0, 1, 2, 3, 254]], "value": [[-5, 300, 7, 0, 0], [0, 0, 0, 0, 0], [0, 1, -1, 0, 0]]}
//@ y {"rows": 300, "column": {"cycle": [[3, 7, 255, 255, 255], [255, 255, 255, 255, 255], [1, 2, 3, 4, 9], [8, 255, 255, 255, 255]], "length": 300}, "value": {"cycle": [[-5, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 2, 3, 4, 5], [0, 0, 0, 0, 0], [9, 0, 0, 0, 0], [0, 0, 0, 0, 0], [-1, -2, -3, -4, -5], [77, 0, 0, 0, 0]], "length": 300}}

pub struct File {
    file: [u8],
}

pub struct Matrix {
    rows: u16,
    column: [[u8; 5]; rows],
    value: [[i16; 5]; rows],
}

pub fn normalize(x: &File, y: &mut Matrix) {
    let rows = u16be(x.file, 0);
    y.rows = rows;
    for r in 0..rows {
        let entries = u8(x.file, 2 + 4 * r);
        let at = u24be(x.file, 3 + 4 * r);
        assume(entries <= 5);
        for k in 0..entries {
            let column = u8(x.file, at + 3 * k);
            assume(column != 255);
            let value = i16be(x.file, at + 3 * k + 1);
            y.column[r][k] = column;
            y.value[r][k] = value;
        }
        for k in 0..5 - entries {
            y.column[r][entries + k] = 255;
            y.value[r][entries + k] = 0;
        }
    }
}
