//! TIFF tiles: the picture is cut into tiles of one size, those at the right and lower edge
//! are padded, and a table says where each one lies.
//@ incomplete: tiles of equal content never share their place
//@ values 3
//@ y {"height": 3, "width": 2, "data": [[1, 2], [3, 4], [5, 6]]}
//@ y {"height": 1, "width": 1, "data": [[7]]}
//@ x {"height": 1, "width": 3, "tile_height": 2, "tile_width": 2, "offsets": [[5, 0]], "file": [3, 0, 0, 0, 0, 1, 2, 0, 0]}

pub struct Tiled {
    height: u8,
    width: u8,
    tile_height: u8,
    tile_width: u8,
    #[element("tile")]
    offsets: [[u16; div_ceil(width, tile_width)]; div_ceil(height, tile_height)],
    file: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Tiled, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for a in 0..div_ceil(x.height, x.tile_height) {
        for b in 0..div_ceil(x.width, x.tile_width) {
            for i in 0..min(x.tile_height, x.height - a * x.tile_height) {
                for j in 0..min(x.tile_width, x.width - b * x.tile_width) {
                    y.data[a * x.tile_height + i][b * x.tile_width + j] =
                        x.file[x.offsets[a][b] + i * x.tile_width + j];
                }
            }
        }
    }
}
