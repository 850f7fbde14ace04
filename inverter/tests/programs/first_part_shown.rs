//! The position of the first part is shown, too: one entry of the table is given by the value.
//@ incomplete: parts of equal content never share their place
//@ y {"directory": 1, "parts": [[1, 2], [3, 4]]}
//@ y {"directory": 0, "parts": [[1, 2], [1, 2]]}

pub struct Archive {
    offsets: [u16; 2],
    file: [u8],
}

pub struct Parts {
    directory: u16,
    parts: [[u8; 2]; 2],
}

pub fn normalize(x: &Archive, y: &mut Parts) {
    y.directory = x.offsets[0];
    for p in 0..2 {
        for b in 0..2 {
            y.parts[p][b] = x.file[x.offsets[p] + b];
        }
    }
}
