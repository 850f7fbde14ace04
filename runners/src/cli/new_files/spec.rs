//! The meaning of a NAME file. This is the complete description of a format: from it, `repfuzz fuzz --spec`
//! makes equivalents of a seed. `repfuzz language` lists the topics of the language, and `repfuzz language bytes`
//! shows how a file is read.
//!
//! The format of this example: the letters "PIC1", an offset, width, height, the distance between rows, and
//! at the offset the rows, one byte per pixel.

/// The representation: the bytes of a file.
struct File {
    file: [u8],
}

/// The canonical value. With `width`, `height` and one array of bytes it is a picture.
struct Picture {
    width: u32,
    height: u32,
    gray: [[u8; width]; height],
}

fn normalize(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"PIC1");
    // Each named number in the file is a dimension, which is varied wherever the format permits it.
    let place = u32le(x.file, 4);
    let width = u16le(x.file, 8);
    let height = u16le(x.file, 10);
    let pitch = u16le(x.file, 12);
    // Any number is allowed here. The name begins with `_` because nothing depends on it.
    let _comment = u16le(x.file, 14);

    assume(width >= 1);
    assume(height >= 1);
    y.width = width;
    y.height = height;
    // The positions of rows are not specified: repfuzz derives the conditions that keep them disjoint.
    for row in 0..height {
        for column in 0..width {
            y.gray[row][column] = x.file[place + row * pitch + column];
        }
    }
}
