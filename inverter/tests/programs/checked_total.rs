//! Two sections whose sizes are stored, with their total, which must agree.
//@ complete
//@ y {"first": 1, "second": 2, "bytes": [1, 2, 3]}
//@ y {"first": 0, "second": 0, "bytes": []}

pub struct File {
    first: u8,
    second: u8,
    total: u16,
    bytes: [u8; total],
}

pub struct Sections {
    first: u8,
    second: u8,
    bytes: [u8; first + second],
}

pub fn normalize(x: &File, y: &mut Sections) {
    y.first = x.first;
    y.second = x.second;
    assume(x.total == x.first + x.second);
    for k in 0..x.total {
        y.bytes[k] = x.bytes[k];
    }
}
