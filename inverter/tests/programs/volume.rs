//! A volume of samples, its slices one after the other.
//@ complete
//@ y {"depth": 1, "height": 2, "width": 2, "data": [[[1, 2], [3, 4]]]}

pub struct Stored {
    depth: u8,
    height: u8,
    width: u8,
    bytes: [u8; depth * height * width],
}

pub struct Volume {
    depth: u8,
    height: u8,
    width: u8,
    data: [[[u8; width]; height]; depth],
}

pub fn normalize(x: &Stored, y: &mut Volume) {
    y.depth = x.depth;
    y.height = x.height;
    y.width = x.width;
    for k in 0..x.depth {
        for i in 0..x.height {
            for j in 0..x.width {
                y.data[k][i][j] = x.bytes[(k * x.height + i) * x.width + j];
            }
        }
    }
}
