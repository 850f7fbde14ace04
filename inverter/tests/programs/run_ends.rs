//! Two runs, with the end of the first: the canonical value is the line itself.
//@ complete
//@ y {"n": 3, "line": [0, 0, 1]}
//@ y {"n": 2, "line": [5, 5]}

pub struct Runs {
    n: u8,
    end: u8,
    first: u8,
    second: u8,
}

pub struct Line {
    n: u8,
    line: [u8; n],
}

pub fn normalize(x: &Runs, y: &mut Line) {
    y.n = x.n;
    assume(x.end <= x.n);
    for k in 0..x.end {
        y.line[k] = x.first;
    }
    for k in 0..x.n - x.end {
        y.line[x.end + k] = x.second;
    }
}
