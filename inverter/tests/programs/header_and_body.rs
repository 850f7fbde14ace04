//! A header in front, somewhere behind it a body, and bytes that belong to others.

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
