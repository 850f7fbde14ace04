//! Uses a file of the folder above.

use super::picture::{Picture, Stored, top_down};

fn normalize(x: &Stored, y: &mut Picture) {
    top_down(x, y);
}
