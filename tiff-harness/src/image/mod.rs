//! A TIFF file as a checked picture in strips or tiles (TIFF 6.0, sections 3 to 6, 8 to 11,
//! 13 to 15, 18 and 19; BigTIFF).
//!
//! Taken: the first picture of a file, gray, bilevel, palette or RGB, with or without alpha,
//! of unsigned samples of 1, 2, 4, 8, 16 or 32 bits, with every lossless compression of
//! [`coding`](crate::coding). Everything else is refused by name. What is taken means one
//! picture to every reader: a tag that comes twice, extra samples that are not told, a color
//! map of which nobody knows the scale are refused, not guessed.

mod fields;
mod read;
mod rest;
mod supported;

pub use read::read_image;

use crate::container::write::Spare;
use crate::container::{ByteOrder, FieldType, Format, Span, Tag, Values};

/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 26;

/// How a picture is divided into segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Strips (TIFF 6.0, section 8, RowsPerStrip).
    Strips {
        /// At least 1; more than there are rows, or 2^32 - 1 (the default), means one strip.
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

/// A strip or a tile: some bytes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Its offset, by StripOffsets or TileOffsets.
    pub offset: u64,
    /// Its bytes, by StripByteCounts or TileByteCounts.
    pub byte_count: u64,
}

/// An integer tag of [`RULES`](crate::container::rules::RULES): what it says, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerTag {
    /// The tag.
    pub tag: Tag,
    /// Its values, as many as the tag has by its rule; if it is absent, the default.
    pub values: Vec<u64>,
    /// The type it has in the file; `None` if it is absent.
    pub stored: Option<FieldType>,
    /// How many values the file has of it.
    pub count: u64,
}

/// What no other file of the same picture could repeat, and no picture depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The type is unknown: the entry may hold an offset or a value, nobody can tell, and
    /// so neither another layout nor another byte order can have it. Readers skip it
    /// (TIFF 6.0, section 2).
    UnknownType(Tag, FieldType),
    /// FreeOffsets and FreeByteCounts: the gaps of this file's layout (section 8).
    Gaps(Tag),
    /// A pointer to another directory, or to data: it would dangle in another layout.
    Pointer(Tag),
    /// The pages after the first: so many.
    Pages(usize),
}

/// The checked first picture of a file, and everything else that its directory says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageFile {
    /// The byte order of the container, and of samples of more than a byte.
    pub order: ByteOrder,
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// ImageWidth: pixels in a stored row, at least 1.
    pub width: u32,
    /// ImageLength: stored rows, at least 1.
    pub height: u32,
    /// BitsPerSample, the same for all: 1, 2, 4, 8, 16 or 32.
    pub bits: u16,
    /// SamplesPerPixel: the colors, and those that ExtraSamples tells.
    pub samples_per_pixel: u16,
    /// PhotometricInterpretation: 0 WhiteIsZero, 1 BlackIsZero, 2 RGB, 3 palette.
    pub photometric: u16,
    /// ExtraSamples: 0 unspecified, 1 associated alpha, 2 unassociated alpha. Just the
    /// first may be an alpha.
    pub extra_samples: Vec<u16>,
    /// SampleFormat: 1 unsigned, 4 undefined.
    pub sample_format: u16,
    /// ColorMap: all reds, all greens, all blues; none if it is no palette picture.
    pub color_map: Vec<u16>,
    /// PlanarConfiguration: 1 chunky, 2 planar.
    pub planar: u16,
    /// Orientation: 1 to 8.
    pub orientation: u16,
    /// Compression.
    pub compression: u16,
    /// Predictor: 1 none, 2 horizontal differencing.
    pub predictor: u16,
    /// FillOrder: 1 or 2.
    pub fill_order: u16,
    /// T4Options (section 11); 0 without.
    pub t4_options: u32,
    /// Strips or tiles.
    pub layout: Layout,
    /// They, in the order of the file's arrays. They are inside the file, and may overlap.
    pub segments: Vec<Segment>,
    /// The type of StripOffsets or TileOffsets.
    pub offset_type: FieldType,
    /// The type of StripByteCounts or TileByteCounts; `None` if they are missing.
    pub count_type: Option<FieldType>,
    /// Every tag of [`RULES`](crate::container::rules::RULES) with one value or one a
    /// sample, in that order, absent ones too.
    pub integers: Vec<IntegerTag>,
    /// Every other tag, as it was. Their meaning is not looked at.
    pub carried: Vec<(Tag, Values)>,
    /// What cannot be carried.
    pub left_out: Vec<LeftOut>,
    /// Where the directory lies.
    pub ifd: Span,
    /// Where the values lie that are not in their entries.
    pub blocks: Vec<(Tag, Span)>,
    /// What is in the bytes of the entries that short values leave over.
    pub spare: Spare,
}

impl ImageFile {
    /// Reads the first picture of a file, and checks it.
    ///
    /// # Errors
    ///
    /// If it is not a TIFF file, or damaged, or more than is supported.
    pub fn read(file: &[u8]) -> Result<Self, crate::TiffError> {
        read_image(&crate::container::read(file)?, file)
    }

    /// Whether samples are indices into [`ImageFile::color_map`].
    pub fn is_palette(&self) -> bool {
        self.photometric == 3
    }

    /// How the samples lie in segments.
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

    /// The stored bytes of segment `index` in `file`, the file this was read from.
    pub fn stored<'f>(&self, file: &'f [u8], index: usize) -> Option<&'f [u8]> {
        let segment = self.segments.get(index)?;
        Span { at: segment.offset, len: segment.byte_count }.of(file)
    }

    /// The integer tag, if it is one of one value or one a sample.
    pub fn integer(&self, tag: Tag) -> Option<&IntegerTag> {
        self.integers.iter().find(|integer| integer.tag == tag)
    }
}

/// How the samples of a picture lie in strips or tiles.
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
    /// Whether each sample has a plane, with segments of its own.
    pub planar: bool,
    /// Strips or tiles.
    pub layout: Layout,
}

impl Grid {
    /// Samples that lie beside each other in a pixel.
    pub fn stride(&self) -> u64 {
        if self.planar { 1 } else { self.samples_per_pixel.into() }
    }

    /// Samples of a row of a segment.
    pub fn row_samples(&self) -> u64 {
        self.stride() * u64::from(self.columns())
    }

    /// Pixels of a row of a segment.
    pub fn columns(&self) -> u32 {
        match self.layout {
            Layout::Strips { .. } => self.width,
            Layout::Tiles { width, .. } => width,
        }
    }

    /// Bytes of a row of a segment, as it is stored uncompressed: whole bytes.
    pub fn row_bytes(&self) -> u64 {
        self.row_samples().saturating_mul(self.bits.into()).div_ceil(8)
    }

    /// How many segments a plane has.
    pub fn segments_of_a_plane(&self) -> u64 {
        match self.layout {
            Layout::Strips { rows_per_strip } => self.height.div_ceil(rows_per_strip.max(1)).into(),
            Layout::Tiles { width, length } => {
                let across: u64 = self.width.div_ceil(width.max(1)).into();
                across.saturating_mul(self.height.div_ceil(length.max(1)).into())
            }
        }
    }

    /// How many segments there are.
    pub fn segments(&self) -> u64 {
        let planes = if self.planar { self.samples_per_pixel.max(1) } else { 1 };
        self.segments_of_a_plane().saturating_mul(planes.into())
    }

    /// The rows of segment `index`: the last strip of a plane may have fewer.
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

    /// The bytes of segment `index`, uncompressed.
    pub fn bytes(&self, index: u64) -> u64 {
        self.row_bytes().saturating_mul(self.rows(index).into())
    }
}
