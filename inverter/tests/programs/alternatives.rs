//! Content inside the entry if it is small, or elsewhere in the file: TIFF's value or offset.
//@ incomplete: the offset of content that is not in the file is always 0
//@ y {"size": 1, "content": [7]}
//@ y {"size": 3, "content": [7, 8, 9]}

pub struct Entry {
    size: u8,
    offset: u8,
    inline: [u8; 2],
    file: [u8],
}

pub struct Content {
    size: u8,
    content: [u8; size],
}

pub fn normalize(x: &Entry, y: &mut Content) {
    y.size = x.size;
    for k in 0..x.size {
        if x.size <= 2 {
            y.content[k] = x.inline[k];
        } else {
            y.content[k] = x.file[x.offset + k];
        }
    }
}
