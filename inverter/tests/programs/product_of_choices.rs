//! Rows a number of words of a chosen size apart: the product of two scalars that are both
//! chosen.
//@ incomplete: with one row any distance would do
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Surface {
    height: u8,
    width: u8,
    words: u8,
    word_size: u8,
    bytes: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Surface, y: &mut Image) {
    assume(x.word_size >= 1 && x.word_size <= 8);
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.bytes[i * x.words * x.word_size + j];
        }
    }
}
