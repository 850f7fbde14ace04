//! TIFF strips: rows in groups, each group anywhere in the file.
//@ incomplete: strips of equal content never share their place
//@ y {"height": 3, "row_bytes": 1, "rows": [[1], [2], [3]]}
//@ y {"height": 2, "row_bytes": 2, "rows": [[1, 2], [1, 2]]}
//@ x {"height": 3, "row_bytes": 1, "rows_per_strip": 2, "strip_offsets": [1, 0], "file": [3, 1, 2]}

pub struct Strips {
    height: u32,
    row_bytes: u32,
    rows_per_strip: u32,
    #[element("strip")]
    strip_offsets: [u32; div_ceil(height, rows_per_strip)],
    file: [u8],
}

pub struct Raster {
    height: u32,
    row_bytes: u32,
    rows: [[u8; row_bytes]; height],
}

pub fn normalize(x: &Strips, y: &mut Raster) {
    y.height = x.height;
    y.row_bytes = x.row_bytes;
    assume(x.rows_per_strip >= 1);
    for s in 0..div_ceil(x.height, x.rows_per_strip) {
        for r in 0..min(x.rows_per_strip, x.height - s * x.rows_per_strip) {
            for b in 0..x.row_bytes {
                y.rows[s * x.rows_per_strip + r][b] = x.file[x.strip_offsets[s] + r * x.row_bytes + b];
            }
        }
    }
}
