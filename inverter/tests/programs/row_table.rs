//! A bitmap with a table of row offsets, some of which may lie in a second file.
//@ incomplete: rows of equal content never share their place
//@ y {"height": 2, "width": 2, "data": [[1, 2], [3, 4]]}
//@ x {"height": 2, "width": 1, "second": [0, 1], "offsets": [0, 0], "file": [1], "other": [2]}

pub struct Bitmap {
    height: u8,
    width: u8,
    second: [u8; height],
    #[element("row")]
    offsets: [u16; height],
    file: [u8],
    other: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Bitmap, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        assume(x.second[i] <= 1);
        for j in 0..x.width {
            if x.second[i] == 1 {
                y.data[i][j] = x.other[x.offsets[i] + j];
            } else {
                y.data[i][j] = x.file[x.offsets[i] + j];
            }
        }
    }
}
