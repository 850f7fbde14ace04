//! What a NAME file means. This is the whole description of a format: `repfuzz fuzz --spec` makes files
//! of it that mean the same as a seed. The language: inverter/docs/language.md.
//!
//! The format of this example: the letters "PIC1", a place, width, height, the distance from a row to
//! the next, and at that place the rows, a byte for each pixel.

/// A file is its bytes, and nothing else.
struct File {
    file: [u8],
}

/// What it means. With `width`, `height` and one array of bytes it is a picture.
struct Picture {
    width: u32,
    height: u32,
    gray: [[u8; width]; height],
}

fn normalize(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"PIC1");
    // Numbers in the file have names: each is a dimension that is varied wherever the format lets it.
    let place = u32le(x.file, 4);
    let width = u16le(x.file, 8);
    let height = u16le(x.file, 10);
    let pitch = u16le(x.file, 12);
    // Any number may stand here. The name begins with `_`, for nothing depends on it.
    let _comment = u16le(x.file, 14);

    assume(width >= 1);
    assume(height >= 1);
    y.width = width;
    y.height = height;
    // Where rows may lie is not said: repfuzz finds out what keeps them apart.
    for row in 0..height {
        for column in 0..width {
            y.gray[row][column] = x.file[place + row * pitch + column];
        }
    }
}
