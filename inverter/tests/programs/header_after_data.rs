//! A file with its directory at the end, as a ZIP archive has it.
//@ complete
//@ y {"size": 2, "data": [1, 2]}
//@ y {"size": 0, "data": []}
//@ x {"length": 6, "size": 2, "start": 0, "file": [1, 2, 0, 0, 0, 0]}

pub struct File {
    length: u8,
    size: u8,
    start: u8,
    file: [u8; length],
}

pub struct Content {
    size: u8,
    data: [u8; size],
}

pub fn normalize(x: &File, y: &mut Content) {
    assume(x.length >= 4 && x.length <= 16);
    reserve(x.file[x.length - 4..x.length]);
    y.size = x.size;
    for k in 0..x.size {
        y.data[k] = x.file[x.start + k];
    }
}
