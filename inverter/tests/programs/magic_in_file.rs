//! The header is part of the file's bytes, as are the offset and the size of the data.
//@ complete
//@ y {"size": 2, "data": [1, 2]}

pub struct File {
    length: u8,
    file: [u8; length],
}

pub struct Content {
    size: u8,
    data: [u8; size],
}

pub fn normalize(x: &File, y: &mut Content) {
    assume(x.file[0] == b'R' && x.file[1] >= 3);
    y.size = x.file[2];
    for k in 0..x.file[2] {
        y.data[k] = x.file[x.file[1] + k];
    }
}
