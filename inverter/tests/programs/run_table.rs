//! Runs of given lengths as they stand in a file: where each starts, where it ends, and its
//! bytes one after the other; the canonical value has them side by side.
//@ incomplete: a run shorter than two bytes still keeps two for itself
//@ y {"runs": 2, "length": [1, 2], "data": [[7, 0], [8, 9]]}
//@ x {"runs": 2, "starts": [2, 0], "ends": [3, 2], "bytes": [8, 9, 7, 0]}

pub struct Runs {
    runs: u8,
    starts: [u8; runs],
    ends: [u8; runs],
    bytes: [u8],
}

pub struct Rows {
    runs: u8,
    length: [u8; runs],
    data: [[u8; 2]; runs],
}

pub fn normalize(x: &Runs, y: &mut Rows) {
    y.runs = x.runs;
    for r in 0..x.runs {
        assume(x.starts[r] <= x.ends[r] && x.ends[r] <= x.starts[r] + 2);
        y.length[r] = x.ends[r] - x.starts[r];
        for k in 0..2 {
            if k < x.ends[r] - x.starts[r] {
                y.data[r][k] = x.bytes[x.starts[r] + k];
            } else {
                y.data[r][k] = 0;
            }
        }
    }
}
