//! A table of contents: offset and size of each part; a part is padded with zeros to the
//! size of the largest.
//@ incomplete: parts of equal content never share their place
//@ y {"parts": 2, "largest": 2, "sizes": [1, 2], "data": [[9, 0], [8, 7]]}
//@ y {"parts": 1, "largest": 1, "sizes": [0], "data": [[0]]}
//@ x {"parts": 2, "largest": 2, "sizes": [1, 2], "offsets": [3, 1], "file": [0, 8, 7, 9]}

pub struct Archive {
    parts: u8,
    largest: u8,
    sizes: [u8; parts],
    #[element("part")]
    offsets: [u16; parts],
    file: [u8],
}

pub struct Parts {
    parts: u8,
    largest: u8,
    sizes: [u8; parts],
    data: [[u8; largest]; parts],
}

pub fn normalize(x: &Archive, y: &mut Parts) {
    y.parts = x.parts;
    y.largest = x.largest;
    for p in 0..x.parts {
        y.sizes[p] = x.sizes[p];
        assume(x.sizes[p] <= x.largest);
        for k in 0..x.sizes[p] {
            y.data[p][k] = x.file[x.offsets[p] + k];
        }
        for k in 0..x.largest - x.sizes[p] {
            y.data[p][x.sizes[p] + k] = 0;
        }
    }
}
