//! A spec of two stages: the first is its own, the second calls one of another file.

use std::cmp::{max, min};

use picture::{Picture as Shown, Stored, top_down};

struct File {
    file: [u8],
}

fn header(x: &File, y: &mut Stored) {
    let width = u8(x.file, 0);
    let height = u8(x.file, 1);
    y.width = width;
    y.height = height;
    for i in 0..width * height {
        y.rows[i] = x.file[2 + i];
    }
}

fn shown(x: &Stored, y: &mut Shown) {
    top_down(x, y);
}
