//! A header in front, somewhere behind it a body, and bytes that belong to others.
//@ incomplete: a body that is equal to bytes of the header never shares their place
//@ y {"header_size": 1, "body_size": 2, "header": [1], "body": [2, 3]}
//@ y {"header_size": 2, "body_size": 0, "header": [1, 2], "body": []}

pub struct File {
    header_size: u16,
    body_size: u16,
    body_offset: u16,
    file: [u8],
}

pub struct Parts {
    header_size: u16,
    body_size: u16,
    header: [u8; header_size],
    body: [u8; body_size],
}

pub fn normalize(x: &File, y: &mut Parts) {
    y.header_size = x.header_size;
    y.body_size = x.body_size;
    reserve(x.file[0..4]);
    for k in 0..x.header_size {
        y.header[k] = x.file[4 + k];
    }
    assume(x.body_offset % 4 == 0);
    for k in 0..x.body_size {
        y.body[k] = x.file[x.body_offset + k];
    }
}
