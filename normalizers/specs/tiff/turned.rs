//! TIFF 6.0, section 8, Orientation: stored pixels of any samples -> the pixels as they are to be
//! seen. `orientation.rs` is the same for colors.

/// Stored rows; the bytes of each pixel.
pub struct Stored {
    orientation: u16,
    width: u32,
    height: u32,
    pixel_bytes: u32,
    bytes: [[[u8; pixel_bytes]; width]; height],
}

/// Rows from the top, pixels from the left.
pub struct Display {
    width: u32,
    height: u32,
    pixel_bytes: u32,
    bytes: [[[u8; pixel_bytes]; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Display) {
    y.pixel_bytes = x.pixel_bytes;
    assume(x.orientation >= 1 && x.orientation <= 8);
    // From 5 on, stored rows are columns of the picture.
    if x.orientation <= 4 {
        y.width = x.width;
        y.height = x.height;
    } else {
        y.width = x.height;
        y.height = x.width;
    }
    let right = x.width - 1;
    let bottom = x.height - 1;
    if x.orientation == 1 {
        // Row 0 is the top, column 0 the left side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[i][j][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 2 {
        // Row 0 is the top, column 0 the right side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[i][right - j][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 3 {
        // Row 0 is the bottom, column 0 the right side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[bottom - i][right - j][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 4 {
        // Row 0 is the bottom, column 0 the left side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[bottom - i][j][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 5 {
        // Row 0 is the left side, column 0 the top.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[j][i][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 6 {
        // Row 0 is the right side, column 0 the top.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[j][bottom - i][c] = x.bytes[i][j][c];
                }
            }
        }
    } else if x.orientation == 7 {
        // Row 0 is the right side, column 0 the bottom.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[right - j][bottom - i][c] = x.bytes[i][j][c];
                }
            }
        }
    } else {
        // Row 0 is the left side, column 0 the bottom.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.pixel_bytes {
                    y.bytes[right - j][i][c] = x.bytes[i][j][c];
                }
            }
        }
    }
}
