//! Records of one size, each with its size in front: all of these must be the same.
//@ complete
//@ y {"n": 2, "size": 2, "records": [[1, 2], [3, 4]]}

pub struct Stream {
    n: u8,
    size: u8,
    bytes: [u8],
}

pub struct Records {
    n: u8,
    size: u8,
    records: [[u8; size]; n],
}

pub fn normalize(x: &Stream, y: &mut Records) {
    y.n = x.n;
    y.size = x.size;
    for k in 0..x.n {
        let start = k * (1 + x.size);
        assume(x.bytes[start] == x.size);
        for b in 0..x.size {
            y.records[k][b] = x.bytes[start + 1 + b];
        }
    }
}
