//! Strips with their sizes in bytes, which the reader checks.
//@ incomplete: strips of equal content never share their place
//@ y {"height": 3, "width": 1, "data": [[1], [2], [3]]}

pub struct Strips {
    height: u8,
    width: u8,
    rows_per_strip: u8,
    counts: [u16; div_ceil(height, rows_per_strip)],
    #[element("strip")]
    offsets: [u16; div_ceil(height, rows_per_strip)],
    file: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Strips, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for s in 0..div_ceil(x.height, x.rows_per_strip) {
        let first = s * x.rows_per_strip;
        let rows = min(x.rows_per_strip, x.height - first);
        assume(x.counts[s] == rows * x.width);
        for r in 0..rows {
            for j in 0..x.width {
                y.data[first + r][j] = x.file[x.offsets[s] + r * x.width + j];
            }
        }
    }
}
