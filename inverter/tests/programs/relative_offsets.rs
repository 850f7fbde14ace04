//! Offsets counted from the entry's own place in the table, four bytes an entry.
//@ incomplete: records of equal content never share their place
//@ y {"count": 2, "size": 2, "records": [[1, 2], [3, 4]]}
//@ y {"count": 1, "size": 0, "records": [[]]}

pub struct Stored {
    count: u8,
    size: u8,
    #[element("record")]
    distance: [u16; count],
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
    reserve(x.data[0..4 * x.count]);
    for k in 0..x.count {
        for b in 0..x.size {
            y.records[k][b] = x.data[4 * k + x.distance[k] + b];
        }
    }
}
