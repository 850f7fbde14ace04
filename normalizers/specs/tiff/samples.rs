//! TIFF 6.0, section 8, BitsPerSample, and section 2, byte order: the bytes of each sample ->
//! its level.
//!
//! A level has 16 bits. A sample of fewer is scaled: 0 is 0 and the greatest value is 65535, by
//! a whole factor. One of 32 bits has a level only if it is one of 16, scaled the same way.

/// Samples of one to four bytes. Those of one, two or four bits have a byte each.
pub struct Sampled {
    width: u32,
    height: u32,
    /// BitsPerSample.
    bits: u16,
    /// 1 if the least significant byte is first: in a file that starts with II.
    little_endian: u8,
    /// 1 if a sample is an index into ColorMap, 0 if it is a level.
    indexed: u8,
    /// The samples that count; those after them may be anything (section 8, ExtraSamples).
    samples: u16,
    /// SamplesPerPixel.
    samples_per_pixel: u16,
    #[element("extra sample")]
    bytes: [[[u8; samples_per_pixel * div_ceil(bits, 8)]; width]; height],
}

/// A level for each sample that counts.
pub struct Levels {
    width: u32,
    height: u32,
    little_endian: u8,
    indexed: u8,
    samples: u16,
    levels: [[[u16; samples]; width]; height],
}

pub fn normalize(x: &Sampled, y: &mut Levels) {
    y.width = x.width;
    y.height = x.height;
    y.little_endian = x.little_endian;
    y.indexed = x.indexed;
    y.samples = x.samples;
    assume(x.samples_per_pixel >= x.samples);
    assume(x.samples_per_pixel <= x.samples + 2);
    assume(x.little_endian <= 1);
    assume(x.indexed <= 1);
    assume(
        x.bits == 1 || x.bits == 2 || x.bits == 4 || x.bits == 8 || x.bits == 16 || x.bits == 32,
    );
    assume(x.indexed == 0 || (x.bits <= 8 && x.samples_per_pixel == 1));

    if x.indexed == 1 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = x.bytes[i][j][c];
                    assume(x.bits == 8 || x.bytes[i][j][c] < 16);
                    assume(x.bits >= 4 || x.bytes[i][j][c] < 4);
                    assume(x.bits >= 2 || x.bytes[i][j][c] < 2);
                }
            }
        }
    } else if x.bits == 1 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 65535 * x.bytes[i][j][c];
                }
            }
        }
    } else if x.bits == 2 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 21845 * x.bytes[i][j][c];
                }
            }
        }
    } else if x.bits == 4 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 4369 * x.bytes[i][j][c];
                }
            }
        }
    } else if x.bits == 8 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 257 * x.bytes[i][j][c];
                }
            }
        }
    } else if x.bits == 16 && x.little_endian == 1 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = x.bytes[i][j][2 * c] + 256 * x.bytes[i][j][2 * c + 1];
                }
            }
        }
    } else if x.bits == 16 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 256 * x.bytes[i][j][2 * c] + x.bytes[i][j][2 * c + 1];
                }
            }
        }
    } else if x.little_endian == 1 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = x.bytes[i][j][4 * c] + 256 * x.bytes[i][j][4 * c + 1];
                    assume(x.bytes[i][j][4 * c + 2] == x.bytes[i][j][4 * c]);
                    assume(x.bytes[i][j][4 * c + 3] == x.bytes[i][j][4 * c + 1]);
                }
            }
        }
    } else {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.levels[i][j][c] = 256 * x.bytes[i][j][4 * c] + x.bytes[i][j][4 * c + 1];
                    assume(x.bytes[i][j][4 * c + 2] == x.bytes[i][j][4 * c]);
                    assume(x.bytes[i][j][4 * c + 3] == x.bytes[i][j][4 * c + 1]);
                }
            }
        }
    }
}
