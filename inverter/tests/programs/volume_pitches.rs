//! A volume texture: rows a pitch apart, and slices another.
//@ incomplete: with one slice or one row, any pitch would do
//@ values 3
//@ y {"depth": 2, "height": 2, "width": 1, "data": [[[1], [2]], [[3], [4]]]}

pub struct Texture {
    depth: u8,
    height: u8,
    width: u8,
    row_pitch: u8,
    slice_pitch: u16,
    bytes: [u8],
}

pub struct Volume {
    depth: u8,
    height: u8,
    width: u8,
    data: [[[u8; width]; height]; depth],
}

pub fn normalize(x: &Texture, y: &mut Volume) {
    y.depth = x.depth;
    y.height = x.height;
    y.width = x.width;
    for k in 0..x.depth {
        for i in 0..x.height {
            for j in 0..x.width {
                y.data[k][i][j] = x.bytes[k * x.slice_pitch + i * x.row_pitch + j];
            }
        }
    }
}
