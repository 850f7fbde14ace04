//! TIFF 6.0, sections 2, 7, 8 and 15: what a file consists of, anywhere in it -> the same,
//! in order.
//!
//! Strips and tiles are *segments* here, and just bytes. The directory, the *blocks* that
//! hold values and further directories, and the segments of further pages are reserved: what is in
//! them is the container's business, where they lie is decided here.

// seed: placement.json

/// A TIFF file, classic or BigTIFF.
pub struct File {
    /// 8 in classic TIFF, 16 in BigTIFF.
    header_bytes: u8,
    /// Values of so many bytes are in the entry itself: 4 in classic TIFF, 8 in BigTIFF.
    inline_bytes: u8,
    /// Directories and blocks begin at multiples of it: 2, as section 2 demands, or 1.
    alignment: u8,
    /// 1 if the segments are tiles: TileOffsets has no SHORTs.
    tiled: u8,
    /// 1 if the segments' byte counts are left out.
    no_counts: u8,
    /// The length of the directory.
    ifd_bytes: u64,
    /// The values that do not fit into their entries, without the two arrays of the segments.
    blocks: u32,
    block_bytes: [u64; blocks],
    /// The segments of further pages.
    page_segments: u32,
    page_segment_bytes: [u64; page_segments],
    /// The last place that the offsets of these segments have a number for.
    reach: u64,
    segments: u32,
    #[element("byte count")]
    byte_counts: [u64; segments],
    /// The greatest byte count.
    longest: u64,
    /// The bytes of all other segments: as far as the last one begins, at least.
    others: u64,
    /// Bytes of each value of StripOffsets or TileOffsets: 2 is SHORT, 4 LONG, 8 LONG8.
    #[element("offset bytes")]
    offset_size: u8,
    /// Bytes of each value of StripByteCounts or TileByteCounts: the same.
    #[element("count bytes")]
    count_size: u8,
    #[element("segment")]
    segment_offsets: [u64; segments],
    #[element("block")]
    block_offsets: [u64; blocks],
    #[element("page segment")]
    page_segment_offsets: [u64; page_segments],
    #[element("IFD")]
    ifd_offset: u64,
    #[element("offsets")]
    offsets_offset: u64,
    #[element("counts")]
    counts_offset: u64,
    file: [u8],
}

/// The bytes of the segments, and what else the file has to have room for.
pub struct Segments {
    header_bytes: u8,
    inline_bytes: u8,
    alignment: u8,
    tiled: u8,
    no_counts: u8,
    ifd_bytes: u64,
    blocks: u32,
    block_bytes: [u64; blocks],
    page_segments: u32,
    page_segment_bytes: [u64; page_segments],
    reach: u64,
    segments: u32,
    byte_counts: [u64; segments],
    longest: u64,
    others: u64,
    /// Each segment's bytes; zeros up to the longest.
    data: [[u8; longest]; segments],
}

pub fn normalize(x: &File, y: &mut Segments) {
    y.header_bytes = x.header_bytes;
    y.inline_bytes = x.inline_bytes;
    y.alignment = x.alignment;
    y.tiled = x.tiled;
    y.no_counts = x.no_counts;
    y.ifd_bytes = x.ifd_bytes;
    y.blocks = x.blocks;
    for k in 0..x.blocks {
        y.block_bytes[k] = x.block_bytes[k];
    }
    y.page_segments = x.page_segments;
    for k in 0..x.page_segments {
        y.page_segment_bytes[k] = x.page_segment_bytes[k];
    }
    y.reach = x.reach;
    y.segments = x.segments;
    y.longest = x.longest;
    y.others = x.others;
    for s in 0..x.segments {
        y.byte_counts[s] = x.byte_counts[s];
    }

    // Section 2: the header; the directory begins on a word boundary, and so do values.
    assume(x.alignment >= 1);
    reserve(x.file[0..x.header_bytes]);
    reserve(x.file[x.ifd_offset..x.ifd_offset + x.ifd_bytes]);
    assume(x.ifd_offset % x.alignment == 0);
    for k in 0..x.blocks {
        reserve(x.file[x.block_offsets[k]..x.block_offsets[k] + x.block_bytes[k]]);
        assume(x.block_offsets[k] % x.alignment == 0);
    }
    // Segments may begin anywhere.
    for k in 0..x.page_segments {
        reserve(x.file[x.page_segment_offsets[k]..x.page_segment_offsets[k] + x.page_segment_bytes[k]]);
        assume(x.page_segment_offsets[k] <= x.reach);
    }

    // Section 8: SHORT or LONG. In BigTIFF also LONG8.
    assume(x.offset_size == 2 || x.offset_size == 4 || x.offset_size == 8);
    assume(x.offset_size <= x.inline_bytes);
    assume(x.tiled == 0 || x.offset_size >= 4);
    assume(x.offset_size >= 4 || x.header_bytes + x.others <= 65535);
    if x.segments * x.offset_size > x.inline_bytes {
        reserve(x.file[x.offsets_offset..x.offsets_offset + x.segments * x.offset_size]);
        assume(x.offsets_offset % x.alignment == 0);
    }
    assume(x.count_size == 2 || x.count_size == 4 || x.count_size == 8);
    assume(x.count_size <= x.inline_bytes);
    assume(x.count_size >= 4 || x.longest <= 65535);
    if x.no_counts == 0 && x.segments * x.count_size > x.inline_bytes {
        reserve(x.file[x.counts_offset..x.counts_offset + x.segments * x.count_size]);
        assume(x.counts_offset % x.alignment == 0);
    }

    for s in 0..x.segments {
        assume(x.byte_counts[s] <= x.longest);
        assume(x.offset_size >= 4 || x.segment_offsets[s] <= 65535);
        for b in 0..x.byte_counts[s] {
            y.data[s][b] = x.file[x.segment_offsets[s] + b];
        }
        for b in 0..x.longest - x.byte_counts[s] {
            y.data[s][x.byte_counts[s] + b] = 0;
        }
    }
}
