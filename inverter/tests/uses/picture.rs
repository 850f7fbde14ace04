//! Declarations that the specs beside this file share.

use stages::levels::MOST;

/// A picture as a file stores it.
struct Stored {
    width: u8,
    height: u8,
    rows: [u8; width * height],
}

/// A picture.
struct Picture {
    width: u8,
    height: u8,
    gray: [[u8; width]; height],
}

pub fn top_down(file: &Stored, out: &mut Picture) {
    sizes(file, out);
    for row in 0..file.height {
        for column in 0..file.width {
            out.gray[row][column] = file.rows[row * file.width + column];
        }
    }
}

fn sizes(from: &Stored, to: &mut Picture) {
    assume(from.width <= MOST);
    to.width = from.width;
    to.height = from.height;
}
