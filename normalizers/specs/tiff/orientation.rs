//! TIFF 6.0, section 8, Orientation: the stored picture -> the picture as it is to be seen.

/// Stored rows.
pub struct Stored {
    orientation: u16,
    width: u32,
    height: u32,
    samples: u16,
    pixels: [[[u8; samples]; width]; height],
}

/// Rows from the top, pixels from the left.
pub struct Display {
    width: u32,
    height: u32,
    samples: u16,
    pixels: [[[u8; samples]; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Display) {
    assume(x.orientation >= 1 && x.orientation <= 8);
    y.samples = x.samples;
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
                for c in 0..x.samples {
                    y.pixels[i][j][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 2 {
        // Row 0 is the top, column 0 the right side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[i][right - j][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 3 {
        // Row 0 is the bottom, column 0 the right side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[bottom - i][right - j][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 4 {
        // Row 0 is the bottom, column 0 the left side.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[bottom - i][j][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 5 {
        // Row 0 is the left side, column 0 the top.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[j][i][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 6 {
        // Row 0 is the right side, column 0 the top.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[j][bottom - i][c] = x.pixels[i][j][c];
                }
            }
        }
    } else if x.orientation == 7 {
        // Row 0 is the right side, column 0 the bottom.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[right - j][bottom - i][c] = x.pixels[i][j][c];
                }
            }
        }
    } else {
        // Row 0 is the left side, column 0 the bottom.
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[right - j][i][c] = x.pixels[i][j][c];
                }
            }
        }
    }
}
