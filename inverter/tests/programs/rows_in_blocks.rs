//! Blocks of rows, of which each is upside down.
//@ complete
//@ y {"height": 3, "rows": [1, 2, 3]}

pub struct Blocks {
    height: u8,
    block: u8,
    rows: [u8; height],
}

pub struct Image {
    height: u8,
    rows: [u8; height],
}

pub fn normalize(x: &Blocks, y: &mut Image) {
    assume(x.block >= 1 && x.block <= 4);
    y.height = x.height;
    for b in 0..div_ceil(x.height, x.block) {
        let first = b * x.block;
        let rows = min(x.block, x.height - first);
        for r in 0..rows {
            y.rows[first + r] = x.rows[first + rows - 1 - r];
        }
    }
}
