//! Offsets that count words of four bytes.
//@ incomplete: records of equal content never share their place
//@ y {"count": 2, "records": [[1, 2, 3, 4], [5, 6, 7, 8]]}

pub struct File {
    count: u8,
    #[element("record")]
    offsets: [u8; count],
    file: [u8],
}

pub struct Records {
    count: u8,
    records: [[u8; 4]; count],
}

pub fn normalize(x: &File, y: &mut Records) {
    y.count = x.count;
    for k in 0..x.count {
        for b in 0..4 {
            y.records[k][b] = x.file[4 * x.offsets[k] + b];
        }
    }
}
