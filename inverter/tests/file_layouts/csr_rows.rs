//@ kind monotone
//@ y {"rows": 3, "cols": 8, "len": [2, 0, 5], "col": "0..200 up to len", "val": "0..200 up to len"}
//@ y {"rows": 110, "cols": 8, "len": "0..9", "col": "0..200 up to len", "val": "0..200 up to len"}
struct F { rows: u16, cols: u8, pointer: [u32; rows + 1], column: [u8], value: [u8] }
struct P { rows: u16, cols: u8, len: [u8; rows], col: [[u8; cols]; rows], val: [[u8; cols]; rows] }

/// Compressed sparse rows: the entries of a row are between its pointer and the next.
fn normalize(x: &F, y: &mut P) {
    y.rows = x.rows;
    y.cols = x.cols;
    for r in 0..x.rows {
        assume(x.pointer[r] <= x.pointer[r + 1]);
        let size = x.pointer[r + 1] - x.pointer[r];
        assume(size <= x.cols);
        y.len[r] = size;
        for k in 0..x.cols {
            if k < size {
                y.col[r][k] = x.column[x.pointer[r] + k];
                y.val[r][k] = x.value[x.pointer[r] + k];
            } else {
                y.col[r][k] = 0;
                y.val[r][k] = 0;
            }
        }
    }
}
