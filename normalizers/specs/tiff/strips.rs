//! TIFF 6.0, sections 2, 3, 7 and 8: the strips of an uncompressed chunky picture of 8 bits a
//! sample, anywhere in a classic file -> the stored picture.
//!
//! The directory and the values that do not fit into its entries are reserved: what is
//! in them is the container's business, where they lie is decided here.

/// A classic TIFF file.
pub struct File {
    width: u32,
    height: u32,
    samples: u16,
    /// RowsPerStrip. At least 1; more than there are rows means one strip.
    rows_per_strip: u32,
    /// Bytes of each value of StripOffsets: 2 is SHORT, 4 is LONG (section 8).
    #[element("StripOffsets bytes")]
    offset_size: u8,
    /// Bytes of each value of StripByteCounts: the same.
    #[element("StripByteCounts bytes")]
    count_size: u8,
    /// The length of the directory (section 2).
    ifd_bytes: u32,
    /// The values that do not fit into their entries, without the two of the strips.
    blocks: u16,
    block_bytes: [u32; blocks],
    #[element("strip")]
    strip_offsets: [u32; div_ceil(height, rows_per_strip)],
    #[element("value block")]
    block_offsets: [u32; blocks],
    #[element("IFD")]
    ifd_offset: u32,
    #[element("StripOffsets")]
    offsets_offset: u32,
    #[element("StripByteCounts")]
    counts_offset: u32,
    file: [u8],
}

/// The stored picture, and what else the file has to have room for.
pub struct Stored {
    width: u32,
    height: u32,
    samples: u16,
    ifd_bytes: u32,
    blocks: u16,
    block_bytes: [u32; blocks],
    pixels: [[[u8; samples]; width]; height],
}

pub fn normalize(x: &File, y: &mut Stored) {
    y.width = x.width;
    y.height = x.height;
    y.samples = x.samples;
    y.ifd_bytes = x.ifd_bytes;
    y.blocks = x.blocks;
    for k in 0..x.blocks {
        y.block_bytes[k] = x.block_bytes[k];
    }

    assume(x.rows_per_strip >= 1);
    let strips = div_ceil(x.height, x.rows_per_strip);
    let row_bytes = x.width * x.samples;

    // Section 2: the header; the directory begins on a word boundary, and so do values.
    reserve(x.file[0..8]);
    reserve(x.file[x.ifd_offset..x.ifd_offset + x.ifd_bytes]);
    assume(x.ifd_offset % 2 == 0);
    for k in 0..x.blocks {
        reserve(x.file[x.block_offsets[k]..x.block_offsets[k] + x.block_bytes[k]]);
        assume(x.block_offsets[k] % 2 == 0);
    }

    // Section 8: SHORT or LONG. Values of up to four bytes are in the entry itself.
    assume(x.offset_size == 2 || x.offset_size == 4);
    assume(x.count_size == 2 || x.count_size == 4);
    assume(x.count_size == 4 || min(x.rows_per_strip, x.height) * row_bytes <= 65535);
    if strips * x.offset_size > 4 {
        reserve(x.file[x.offsets_offset..x.offsets_offset + strips * x.offset_size]);
        assume(x.offsets_offset % 2 == 0);
    }
    if strips * x.count_size > 4 {
        reserve(x.file[x.counts_offset..x.counts_offset + strips * x.count_size]);
        assume(x.counts_offset % 2 == 0);
    }

    for s in 0..strips {
        assume(x.offset_size == 4 || x.strip_offsets[s] <= 65535);
        for r in 0..min(x.rows_per_strip, x.height - s * x.rows_per_strip) {
            for j in 0..x.width {
                for c in 0..x.samples {
                    y.pixels[s * x.rows_per_strip + r][j][c] =
                        x.file[x.strip_offsets[s] + r * row_bytes + j * x.samples + c];
                }
            }
        }
    }
}
