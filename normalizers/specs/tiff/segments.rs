//! TIFF 6.0, sections 8 and 15: the decoded bytes of all strips or tiles, one after the
//! other -> the bytes of the stored picture.

/// The bytes of each strip or tile, in the order of StripOffsets or TileOffsets. A sample has
/// one, two or four of them; those of less than 8 bits have one.
pub struct Decoded {
    width: u32,
    height: u32,
    samples_per_pixel: u16,
    sample_bytes: u16,
    /// PlanarConfiguration: 1 chunky, 2 planar.
    planar: u16,
    /// 1 if the segments are tiles.
    tiled: u8,
    /// RowsPerStrip. At least 1; more than there are rows means one strip. 0 with tiles.
    rows_per_strip: u32,
    /// TileWidth, a multiple of 16. 0 with strips.
    tile_width: u32,
    /// TileLength, a multiple of 16. 0 with strips.
    tile_length: u32,
    /// No tile is wider.
    most_width: u32,
    /// No tile is longer.
    most_length: u32,
    /// The bytes of all strips or all tiles together.
    bytes: u64,
    /// The samples of tiles beyond the picture may be anything.
    #[element("tile padding")]
    data: [u8; bytes],
}

/// The stored picture.
pub struct Sampled {
    width: u32,
    height: u32,
    samples_per_pixel: u16,
    sample_bytes: u16,
    most_width: u32,
    most_length: u32,
    bytes: [[[u8; samples_per_pixel * sample_bytes]; width]; height],
}

pub fn normalize(x: &Decoded, y: &mut Sampled) {
    y.width = x.width;
    y.height = x.height;
    y.samples_per_pixel = x.samples_per_pixel;
    y.sample_bytes = x.sample_bytes;
    y.most_width = x.most_width;
    y.most_length = x.most_length;
    assume(x.planar == 1 || x.planar == 2);
    assume(x.tiled <= 1);
    assume(x.tiled == 1 || (x.tile_width == 0 && x.tile_length == 0));
    assume(x.tiled == 0 || (x.tile_width >= 16 && x.tile_length >= 16));
    assume(x.tile_width <= x.most_width && x.tile_length <= x.most_length);
    assume(x.tile_width % 16 == 0 && x.tile_length % 16 == 0);
    assume(x.tiled == 0 || x.rows_per_strip == 0);
    assume(x.tiled == 1 || x.rows_per_strip >= 1);

    let pixel = x.samples_per_pixel * x.sample_bytes;
    if x.tiled == 0 {
        assume(x.bytes == x.height * x.width * pixel);
        if x.planar == 1 {
            for s in 0..div_ceil(x.height, x.rows_per_strip) {
                for r in 0..min(x.rows_per_strip, x.height - s * x.rows_per_strip) {
                    for j in 0..x.width {
                        for c in 0..pixel {
                            y.bytes[s * x.rows_per_strip + r][j][c] =
                                x.data[((s * x.rows_per_strip + r) * x.width + j) * pixel + c];
                        }
                    }
                }
            }
        } else {
            for p in 0..x.samples_per_pixel {
                for s in 0..div_ceil(x.height, x.rows_per_strip) {
                    for r in 0..min(x.rows_per_strip, x.height - s * x.rows_per_strip) {
                        for j in 0..x.width {
                            for b in 0..x.sample_bytes {
                                y.bytes[s * x.rows_per_strip + r][j][p * x.sample_bytes + b] = x
                                    .data[((p * x.height + s * x.rows_per_strip + r) * x.width
                                    + j)
                                    * x.sample_bytes
                                    + b];
                            }
                        }
                    }
                }
            }
        }
    } else {
        let across = div_ceil(x.width, x.tile_width);
        let down = div_ceil(x.height, x.tile_length);
        assume(x.bytes == down * across * x.tile_length * x.tile_width * pixel);
        if x.planar == 1 {
            for u in 0..down {
                for v in 0..across {
                    for r in 0..min(x.tile_length, x.height - u * x.tile_length) {
                        for q in 0..min(x.tile_width, x.width - v * x.tile_width) {
                            for c in 0..pixel {
                                y.bytes[u * x.tile_length + r][v * x.tile_width + q][c] = x.data
                                    [(((u * across + v) * x.tile_length + r) * x.tile_width + q)
                                        * pixel
                                        + c];
                            }
                        }
                    }
                }
            }
        } else {
            for p in 0..x.samples_per_pixel {
                for u in 0..down {
                    for v in 0..across {
                        for r in 0..min(x.tile_length, x.height - u * x.tile_length) {
                            for q in 0..min(x.tile_width, x.width - v * x.tile_width) {
                                for b in 0..x.sample_bytes {
                                    y.bytes[u * x.tile_length + r][v * x.tile_width + q]
                                        [p * x.sample_bytes + b] =
                                        x.data[((((p * down + u) * across + v) * x.tile_length
                                            + r)
                                            * x.tile_width
                                            + q)
                                            * x.sample_bytes
                                            + b];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
