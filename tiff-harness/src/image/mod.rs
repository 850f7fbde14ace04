//! A TIFF file as a checked picture in strips or tiles (TIFF 6.0, sections 3 to 6, 8 to 11,
//! 13 to 15, 18 and 19; BigTIFF).
//!
//! The pictures of a file's chain of directories are supported. A picture's [`Content`] is colors if it is gray,
//! bilevel, palette or RGB, with or without alpha, of unsigned samples of 1, 2, 4, 8, 16 or 32 bits, with any lossless
//! compression of [`coding`](crate::coding); samples with a label if their colors are not exact; and streams if a
//! compression that is not lossless holds them. Everything else is refused with a reason. An accepted file means the
//! same to every reader; for example, a file with a repeated tag is refused.

mod fields;
mod old_jpeg;
mod pages;
mod read;
mod rest;
mod supported;

pub use old_jpeg::{InBlock, OldJpeg};
pub(crate) use pages::last_page;
pub use pages::{MAX_PAGES, PagesLeftOut, read_pages};
pub use read::{read_image, read_large_image};
pub use rest::STREAM_TAGS;

use crate::container::write::Spare;
use crate::container::{ByteOrder, FieldType, Format, Span, Tag, Values};

/// The maximum number of pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The maximum number of pixels of a picture whose colors are not computed, and which is stored without compression, so
/// that its file holds all of them.
pub const MAX_STORED_PIXELS: u64 = 1 << 32;

/// Returns the number of bytes of an unpacked sample of `bits` bits: at least 1.
pub fn sample_bytes(bits: u16) -> u64 {
    u64::from(bits).div_ceil(8).max(1)
}

/// The division of a picture into segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Strips (TIFF 6.0, section 8, RowsPerStrip).
    Strips {
        /// RowsPerStrip: at least 1. Any number greater than that of all rows, such as 2^32 - 1 (the default), means
        /// one strip.
        rows_per_strip: u32,
    },
    /// Tiles (section 15), in rows from the top.
    Tiles {
        /// TileWidth: at least 1.
        width: u32,
        /// TileLength: at least 1.
        length: u32,
    },
}

/// A strip or a tile: a range of bytes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Its offset according to StripOffsets or TileOffsets.
    pub offset: u64,
    /// Its number of bytes according to StripByteCounts or TileByteCounts.
    pub byte_count: u64,
}

/// An integer tag of [`RULES`](crate::container::rules::RULES): its values and its form in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerTag {
    /// The tag.
    pub tag: Tag,
    /// Its values, as many as the tag's rule requires; if it is absent, the default.
    pub values: Vec<u64>,
    /// Its type in the file; `None` if it is absent.
    pub stored: Option<FieldType>,
    /// The number of its values in the file.
    pub count: u64,
}

/// The kind of a picture's canonical value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Colors: every sample has an exact level or color.
    Colors,
    /// Unchanged samples, with the reason why they are not exact colors.
    Samples(String),
    /// Segments as they are stored, with the reason why repfuzz does not decode them.
    Streams(String),
}

/// A part of a file that no other file can contain, and on which no picture depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// A tag of unknown type. Its entry may hold an offset or a value, so it cannot be written in another layout or
    /// another byte order. Readers skip it (TIFF 6.0, section 2).
    UnknownType(Tag, FieldType),
    /// FreeOffsets and FreeByteCounts: the gaps of this file's layout (section 8).
    Gaps(Tag),
    /// A pointer to another directory, or to data: it would dangle in another layout.
    Pointer(Tag),
    /// A tag whose values contain offsets, or refer to segments, coding or layers that no variant has
    /// ([`Rule::Never`](crate::container::carried::table::Rule::Never)).
    OfThisFile(Tag),
}

/// Returns true if NewSubfileType `subfile` marks a picture as a reduced version of another one, or a mask for it (TIFF
/// 6.0, section 8). Such a picture does not have a page number.
pub fn belongs_to_another(subfile: u64) -> bool {
    subfile & (1 | 4) != 0
}

/// A checked picture of a file, and the other tags of its directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageFile {
    /// The byte order of the container, and of multi-byte samples.
    pub order: ByteOrder,
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// ImageWidth: pixels in a stored row, at least 1.
    pub width: u32,
    /// ImageLength: stored rows, at least 1.
    pub height: u32,
    /// The kind of its canonical value, according to its tags. Samples of 32 bits, and colors multiplied by alpha, may
    /// turn out not to be exact colors.
    pub content: Content,
    /// BitsPerSample, the same for all: 1 to 64. For streams, the value of the first sample.
    pub bits: u16,
    /// SamplesPerPixel: the colors, and the samples that ExtraSamples describes; at least 1.
    pub samples_per_pixel: u16,
    /// PhotometricInterpretation: 0 WhiteIsZero, 1 BlackIsZero, 2 RGB, 3 palette; others only if the
    /// content is not colors.
    pub photometric: u16,
    /// ExtraSamples: 0 unspecified, 1 associated alpha, 2 unassociated alpha. For colors, only the first may be an
    /// alpha.
    pub extra_samples: Vec<u16>,
    /// SampleFormat (section 19): 1 unsigned, 2 signed, 3 floating point, 4 undefined, 5 and 6 complex. For colors it
    /// is 1 or 4.
    pub sample_format: u16,
    /// ColorMap: all reds, all greens, all blues; empty if there is none.
    pub color_map: Vec<u16>,
    /// PlanarConfiguration: 1 chunky, 2 planar.
    pub planar: u16,
    /// Orientation: 1 to 8.
    pub orientation: u16,
    /// Compression.
    pub compression: u16,
    /// Predictor: 1 none, 2 horizontal differencing, 3 floating-point differencing.
    pub predictor: u16,
    /// FillOrder: 1 or 2.
    pub fill_order: u16,
    /// T4Options (section 11); 0 if the tag is absent.
    pub t4_options: u32,
    /// Strips or tiles.
    pub layout: Layout,
    /// The segments, in the order of the file's arrays. They are inside the file, but may overlap.
    pub segments: Vec<Segment>,
    /// The data to which tags point, if Compression is 6 (section 22) and there are such tags.
    pub old_jpeg: Option<OldJpeg>,
    /// The type of StripOffsets or TileOffsets.
    pub offset_type: FieldType,
    /// The type of StripByteCounts or TileByteCounts; `None` if they are missing.
    pub count_type: Option<FieldType>,
    /// Every tag of [`RULES`](crate::container::rules::RULES) with one value, or one per sample, in the order of the
    /// rules, including absent ones.
    pub integers: Vec<IntegerTag>,
    /// All other tags, unchanged. [`carried`](crate::container::carried) decides which of them a variant has.
    pub carried: Vec<(Tag, Values)>,
    /// The parts that cannot be carried over to a variant.
    pub left_out: Vec<LeftOut>,
    /// The number of directories in the file's chain after the first.
    pub further_pages: usize,
    /// The place of the directory.
    pub ifd: Span,
    /// The places of values that are not in their entries.
    pub blocks: Vec<(Tag, Span)>,
    /// The content of the bytes of value fields that short values do not use.
    pub spare: Spare,
}

impl ImageFile {
    /// Reads the first picture of a file, and checks it.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a TIFF file, is damaged, or has a feature that is not supported.
    pub fn read(file: &[u8]) -> Result<Self, crate::TiffError> {
        read_image(&crate::container::read(file)?, file)
    }

    /// Returns true if samples are indices into [`ImageFile::color_map`].
    pub fn is_palette(&self) -> bool {
        self.photometric == 3
    }

    /// Returns NewSubfileType (section 8): bit 0 is set for a reduced version of another page, bit 2 for a
    /// mask.
    pub fn subfile_type(&self) -> u64 {
        let integer = self.integer(Tag::NEW_SUBFILE_TYPE);
        integer.and_then(|integer| integer.values.first().copied()).unwrap_or(0)
    }

    /// Returns the layout of the samples in segments.
    pub fn grid(&self) -> Grid {
        Grid {
            width: self.width,
            height: self.height,
            bits: self.bits,
            samples_per_pixel: self.samples_per_pixel,
            planar: self.planar == 2,
            layout: self.layout,
        }
    }

    /// Returns the memory that the picture takes in bytes: its decoded segments, or its exact colors (8 for each
    /// pixel), whichever takes more. `file` is the length of the file, which holds segments that are not decoded.
    pub fn decoded_size(&self, file: u64) -> u64 {
        let colors = match self.content {
            Content::Colors => 8 * u64::from(self.width) * u64::from(self.height),
            Content::Samples(_) | Content::Streams(_) => 0,
        };
        self.decoded_segments(file).max(colors)
    }

    /// Returns the bytes of the decoded segments, with their padding, in excess of those of the file if the file stores
    /// them unchanged.
    pub fn decoded_segments(&self, file: u64) -> u64 {
        let grid = self.grid();
        let add = u64::saturating_add;
        let decoded = match self.content {
            Content::Streams(_) => self.segments.iter().map(|s| s.byte_count).fold(0, add),
            _ => (0..grid.segments()).map(|k| grid.decoded_bytes(k)).fold(0, add),
        };
        match self.content {
            Content::Streams(_) => decoded.saturating_sub(file),
            _ if self.compression == 1 => decoded.saturating_sub(file),
            _ => decoded,
        }
    }

    /// Returns the stored bytes of segment `index` in `file`, the file that this was read from.
    pub fn stored<'f>(&self, file: &'f [u8], index: usize) -> Option<&'f [u8]> {
        let segment = self.segments.get(index)?;
        Span { at: segment.offset, len: segment.byte_count }.of(file)
    }

    /// Returns an integer tag that has one value, or one per sample.
    pub fn integer(&self, tag: Tag) -> Option<&IntegerTag> {
        self.integers.iter().find(|integer| integer.tag == tag)
    }
}

/// The layout of a picture's samples in strips or tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bits of a sample.
    pub bits: u16,
    /// Samples of a pixel.
    pub samples_per_pixel: u16,
    /// True if each sample has a separate plane of segments.
    pub planar: bool,
    /// Strips or tiles.
    pub layout: Layout,
}

impl Grid {
    /// Returns the number of interleaved samples in a pixel.
    pub fn stride(&self) -> u64 {
        if self.planar { 1 } else { self.samples_per_pixel.into() }
    }

    /// Returns the number of samples in a row of a segment.
    pub fn row_samples(&self) -> u64 {
        self.stride() * u64::from(self.columns())
    }

    /// Returns the number of pixels in a row of a segment.
    pub fn columns(&self) -> u32 {
        match self.layout {
            Layout::Strips { .. } => self.width,
            Layout::Tiles { width, .. } => width,
        }
    }

    /// Returns the length of an uncompressed row of a segment, in whole bytes.
    pub fn row_bytes(&self) -> u64 {
        self.row_samples().saturating_mul(self.bits.into()).div_ceil(8)
    }

    /// Returns the number of segments of a plane.
    pub fn segments_of_a_plane(&self) -> u64 {
        match self.layout {
            Layout::Strips { rows_per_strip } => self.height.div_ceil(rows_per_strip.max(1)).into(),
            Layout::Tiles { width, length } => {
                let across: u64 = self.width.div_ceil(width.max(1)).into();
                across.saturating_mul(self.height.div_ceil(length.max(1)).into())
            }
        }
    }

    /// Returns the number of segments.
    pub fn segments(&self) -> u64 {
        let planes = if self.planar { self.samples_per_pixel.max(1) } else { 1 };
        self.segments_of_a_plane().saturating_mul(planes.into())
    }

    /// Returns the number of rows of segment `index`; the last strip of a plane may have fewer.
    pub fn rows(&self, index: u64) -> u32 {
        match self.layout {
            Layout::Strips { rows_per_strip } => {
                let before =
                    (index % self.segments_of_a_plane().max(1)) * u64::from(rows_per_strip);
                let left = u64::from(self.height).saturating_sub(before);
                left.min(rows_per_strip.into()) as u32
            }
            Layout::Tiles { length, .. } => length,
        }
    }

    /// Returns the length of segment `index` in bytes, decoded: a sample of up to 8 bits has a byte.
    pub fn decoded_bytes(&self, index: u64) -> u64 {
        let row = self.row_samples().saturating_mul(sample_bytes(self.bits));
        row.saturating_mul(self.rows(index).into())
    }

    /// Returns the length of the whole picture in bytes, decoded and without padding.
    pub fn picture_bytes(&self) -> u64 {
        let pixel = u64::from(self.samples_per_pixel) * sample_bytes(self.bits);
        (u64::from(self.width) * u64::from(self.height)).saturating_mul(pixel)
    }

    /// Returns the length of segment `index` in bytes, uncompressed.
    pub fn bytes(&self, index: u64) -> u64 {
        self.row_bytes().saturating_mul(self.rows(index).into())
    }
}
