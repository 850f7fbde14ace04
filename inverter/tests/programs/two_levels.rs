//! Indirection twice: a table of table entries.
//@ incomplete: records of equal content never share their place
//@ y {"count": 2, "size": 2, "records": [[1, 2], [3, 4]]}
//@ y {"count": 2, "size": 1, "records": [[6], [6]]}

pub struct Stored {
    count: u8,
    size: u8,
    first: [u8; count],
    #[element("record")]
    offsets: [u16; count],
    data: [u8],
}

pub struct Records {
    count: u8,
    size: u8,
    records: [[u8; size]; count],
}

pub fn normalize(x: &Stored, y: &mut Records) {
    y.count = x.count;
    y.size = x.size;
    for k in 0..x.count {
        for b in 0..x.size {
            y.records[k][b] = x.data[x.offsets[x.first[k]] + b];
        }
    }
}
