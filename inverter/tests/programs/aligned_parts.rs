//! Parts of an archive, each at a multiple of its alignment.
//@ incomplete: parts of equal content never share their place
//@ y {"parts": 2, "size": 3, "data": [[1, 2, 3], [4, 5, 6]]}
//@ y {"parts": 1, "size": 0, "data": [[]]}

pub struct Archive {
    parts: u8,
    size: u8,
    #[element("part")]
    offsets: [u16; parts],
    file: [u8],
}

pub struct Parts {
    parts: u8,
    size: u8,
    data: [[u8; size]; parts],
}

pub fn normalize(x: &Archive, y: &mut Parts) {
    y.parts = x.parts;
    y.size = x.size;
    reserve(x.file[0..2 * x.parts]);
    for p in 0..x.parts {
        assume(x.offsets[p] % 4 == 0);
        for k in 0..x.size {
            y.data[p][k] = x.file[x.offsets[p] + k];
        }
    }
}
