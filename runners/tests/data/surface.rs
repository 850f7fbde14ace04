//! A surface whose rows may have slack at their end -> the picture.

/// As it is stored.
pub struct Surface {
    width: u32,
    height: u32,
    /// From one row to the next.
    pitch: u32,
    data: [u8],
}

/// Without slack.
pub struct Picture {
    width: u32,
    height: u32,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Surface, y: &mut Picture) {
    y.width = x.width;
    y.height = x.height;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.data[i * x.pitch + j];
        }
    }
}
