//! Run-length coding: where a run goes depends on all before it.
//@ refused: a variable that changes, beside arrays that are no bytes of a file; read the numbers from the file

pub struct Coded {
    runs: u8,
    lengths: [u8; runs],
    values: [u8; runs],
}

pub struct Row {
    runs: u8,
    row: [u8; 16],
}

pub fn normalize(x: &Coded, y: &mut Row) {
    y.runs = x.runs;
    let mut at = 0;
    for r in 0..x.runs {
        for k in 0..x.lengths[r] {
            y.row[at + k] = x.values[r];
        }
        at += x.lengths[r];
    }
}
