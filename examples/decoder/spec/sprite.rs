//! The meaning of a sprite: gray pixels, rows from the top.
//!
//! A sprite has the letters "SPR1", width, height, the offset of the pixels, the direction of their
//! rows, and a byte that nobody reads.

struct File {
    file: [u8],
}

struct Picture {
    width: u32,
    height: u32,
    gray: [[u8; width]; height],
}

fn sprite(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"SPR1");
    let width = u16le(x.file, 4);
    let height = u16le(x.file, 6);
    let pixels = u16le(x.file, 8);
    let upward = u8(x.file, 10);
    let _spare = u8(x.file, 11);
    assume(width >= 1);
    assume(height >= 1);
    assume(upward <= 1);
    y.width = width;
    y.height = height;
    for row in 0..height {
        for column in 0..width {
            if upward == 1 {
                y.gray[height - 1 - row][column] = x.file[pixels + row * width + column];
            } else {
                y.gray[row][column] = x.file[pixels + row * width + column];
            }
        }
    }
}
