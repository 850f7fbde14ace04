//! TIFF 6.0, section 2, byte order, for samples of which the bits are the meaning (section 19):
//! the bytes of each sample -> the same bytes, the most significant one first.

/// Samples of one to eight bytes.
pub struct Sampled {
    width: u32,
    height: u32,
    samples_per_pixel: u16,
    sample_bytes: u16,
    /// 1 if the least significant byte is first: in a file that starts with II.
    little_endian: u8,
    bytes: [[[u8; samples_per_pixel * sample_bytes]; width]; height],
}

/// The stored pixels.
pub struct Stored {
    width: u32,
    height: u32,
    samples_per_pixel: u16,
    sample_bytes: u16,
    little_endian: u8,
    bytes: [[[u8; samples_per_pixel * sample_bytes]; width]; height],
}

pub fn normalize(x: &Sampled, y: &mut Stored) {
    y.width = x.width;
    y.height = x.height;
    y.samples_per_pixel = x.samples_per_pixel;
    y.sample_bytes = x.sample_bytes;
    y.little_endian = x.little_endian;
    assume(x.little_endian <= 1);
    assume(x.sample_bytes >= 1 && x.sample_bytes <= 8);
    if x.little_endian == 1 {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples_per_pixel {
                    for b in 0..x.sample_bytes {
                        y.bytes[i][j][c * x.sample_bytes + b] =
                            x.bytes[i][j][c * x.sample_bytes + x.sample_bytes - 1 - b];
                    }
                }
            }
        }
    } else {
        for i in 0..x.height {
            for j in 0..x.width {
                for c in 0..x.samples_per_pixel {
                    for b in 0..x.sample_bytes {
                        y.bytes[i][j][c * x.sample_bytes + b] =
                            x.bytes[i][j][c * x.sample_bytes + b];
                    }
                }
            }
        }
    }
}
