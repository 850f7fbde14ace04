//! The inverse would have nowhere to put what is never assigned.
//@ refused: an output that no statement assigns

pub struct Stored {
    height: u8,
    rows: [u8; height],
}

pub struct Image {
    height: u8,
    rows: [u8; height],
    comment: u8,
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.height = x.height;
    for i in 0..x.height {
        y.rows[i] = x.rows[i];
    }
}
