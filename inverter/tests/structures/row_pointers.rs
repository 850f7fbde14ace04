//! A sparse matrix by rows: pointers rise, and columns rise strictly within a row of two entries.
//@ kind monotone
//@ y {"rows": 2, "low": [1, 2], "high": [3, 4]}
//@ y {"rows": 1500, "low": {"cycle": [3, 0, 1, 7], "length": 1500}, "high": {"cycle": [5, 6, 5, 9], "length": 1500}}

pub struct Sparse {
    rows: u16,
    pointer: [u32; rows + 1],
    column: [[u16; 2]; rows],
    value: [[u8; 2]; rows],
}

pub struct Entries {
    rows: u16,
    low: [u8; rows],
    high: [u8; rows],
}

pub fn normalize(x: &Sparse, y: &mut Entries) {
    y.rows = x.rows;
    assume(x.pointer[0] == 0);
    for r in 0..x.rows {
        assume(x.pointer[r + 1] == x.pointer[r] + 2);
        assume(x.column[r][0] < x.column[r][1]);
        y.low[r] = x.value[r][0];
        y.high[r] = x.value[r][1];
    }
}
