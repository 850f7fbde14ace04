//! An interlaced field: every second row, by a step.
//@ refused: a loop with a step; multiply the index

pub struct Field {
    height: u8,
    rows: [u8; height],
}

pub struct Image {
    height: u8,
    rows: [u8; height],
}

pub fn normalize(x: &Field, y: &mut Image) {
    y.height = x.height;
    for i in (0..x.height).step_by(2) {
        y.rows[i] = x.rows[i / 2];
    }
    for i in (0..x.height / 2).rev() {
        y.rows[2 * i + 1] = x.rows[div_ceil(x.height, 2) + i];
    }
}
