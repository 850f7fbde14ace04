//! Offsets from the start of a section, whose own place is told once.
//@ incomplete: records of equal content never share their place
//@ y {"count": 2, "size": 1, "records": [[1], [2]]}

pub struct File {
    count: u8,
    size: u8,
    section: u8,
    #[element("record")]
    offsets: [u8; count],
    file: [u8],
}

pub struct Records {
    count: u8,
    size: u8,
    records: [[u8; size]; count],
}

pub fn normalize(x: &File, y: &mut Records) {
    y.count = x.count;
    y.size = x.size;
    reserve(x.file[0..2]);
    for k in 0..x.count {
        for b in 0..x.size {
            y.records[k][b] = x.file[x.section + x.offsets[k] + b];
        }
    }
}
