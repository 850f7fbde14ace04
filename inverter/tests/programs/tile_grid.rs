//! Tiles one after the other, without a table: the place of a pixel is computed from the
//! pixel's own place, with `/` and `%`.
//@ complete
//@ y {"height": 3, "width": 3, "data": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}

pub struct Tiled {
    height: u8,
    width: u8,
    tile: u8,
    bytes: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Tiled, y: &mut Image) {
    assume(x.tile >= 1 && x.tile <= 4);
    y.height = x.height;
    y.width = x.width;
    let across = div_ceil(x.width, x.tile);
    for i in 0..x.height {
        for j in 0..x.width {
            let tile = (i / x.tile) * across + j / x.tile;
            y.data[i][j] = x.bytes[(tile * x.tile + i % x.tile) * x.tile + j % x.tile];
        }
    }
}
