//! TIFF 6.0, section 8, PhotometricInterpretation, and section 18, Associated Alpha: the
//! levels of a stored picture -> red, green, blue, alpha.

/// A level for each sample: 0 is the least, 65535 the greatest that its bits can tell.
pub struct Levels {
    width: u32,
    height: u32,
    /// PhotometricInterpretation: 0 WhiteIsZero, 1 BlackIsZero, 2 RGB.
    photometric: u16,
    /// The sample after the colors, of ExtraSamples: 0 none that counts, 1 associated
    /// alpha, 2 unassociated alpha.
    alpha: u16,
    /// The samples that count: the colors, and alpha.
    samples: u16,
    levels: [[[u16; samples]; width]; height],
}

/// Pixels of four samples: red, green, blue, alpha, not premultiplied.
pub struct Stored {
    width: u32,
    height: u32,
    rgba: [[[u16; 4]; width]; height],
}

pub fn normalize(x: &Levels, y: &mut Stored) {
    y.width = x.width;
    y.height = x.height;
    assume(x.photometric <= 2);
    assume(x.alpha <= 2);

    if x.photometric == 2 {
        assume(x.samples == 3 + min(x.alpha, 1));
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..3 {
                    y.rgba[i][j][c] = x.levels[i][j][c];
                }
            }
        }
    } else if x.photometric == 1 {
        assume(x.samples == 1 + min(x.alpha, 1));
        for i in 0..x.height {
            for j in 0..x.width {
                y.rgba[i][j][0] = x.levels[i][j][0];
                y.rgba[i][j][1] = x.levels[i][j][0];
                y.rgba[i][j][2] = x.levels[i][j][0];
            }
        }
    } else {
        assume(x.samples == 1 + min(x.alpha, 1));
        for i in 0..x.height {
            for j in 0..x.width {
                y.rgba[i][j][0] = 65535 - x.levels[i][j][0];
                y.rgba[i][j][1] = 65535 - x.levels[i][j][0];
                y.rgba[i][j][2] = 65535 - x.levels[i][j][0];
            }
        }
    }

    if x.alpha == 0 {
        for i in 0..x.height {
            for j in 0..x.width {
                y.rgba[i][j][3] = 65535;
            }
        }
    } else if x.photometric == 2 {
        for i in 0..x.height {
            for j in 0..x.width {
                y.rgba[i][j][3] = x.levels[i][j][3];
                // In an opaque picture, premultiplied levels equal plain ones.
                assume(x.alpha == 2 || x.levels[i][j][3] == 65535);
            }
        }
    } else {
        for i in 0..x.height {
            for j in 0..x.width {
                y.rgba[i][j][3] = x.levels[i][j][1];
                // In an opaque picture, premultiplied levels equal plain ones.
                assume(x.alpha == 2 || x.levels[i][j][1] == 65535);
            }
        }
    }
}
