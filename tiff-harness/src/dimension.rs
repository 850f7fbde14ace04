//! The names of dimensions, as they occur in choices files, reports and `--stats`.
//!
//! Code refers to a dimension by a constant, so a misspelt name does not compile. Dimensions of a normalization program
//! have the names of its fields; those of a compression begin with the compression's name.

use std::borrow::Cow;

use crate::container::Tag;
use crate::container::tags::TagProperty;

/// Orientation: 1 to 8.
pub const ORIENTATION: &str = "orientation";
/// PhotometricInterpretation, if there is no palette.
pub const PHOTOMETRIC: &str = "photometric";
/// The kind of alpha: a value of ExtraSamples, 0 for none.
pub const ALPHA: &str = "alpha";
/// BitsPerSample.
pub const BITS: &str = "bits";
/// SamplesPerPixel.
pub const SAMPLES_PER_PIXEL: &str = "samples_per_pixel";
/// PlanarConfiguration.
pub const PLANAR: &str = "planar";
/// Strips (0) or tiles (1).
pub const TILED: &str = "tiled";
/// RowsPerStrip.
pub const ROWS_PER_STRIP: &str = "rows_per_strip";
/// TileWidth.
pub const TILE_WIDTH: &str = "tile_width";
/// TileLength.
pub const TILE_LENGTH: &str = "tile_length";
/// The size, in bytes, of each value of StripOffsets or TileOffsets.
pub const OFFSET_BYTES: &str = "offset bytes";
/// The size, in bytes, of each value of StripByteCounts or TileByteCounts.
pub const COUNT_BYTES: &str = "count bytes";

/// A palette: `yes` or `no`.
pub const PALETTE: &str = "palette";
/// The number of entries of a palette that are or may be in use.
pub const PALETTE_SIZE: &str = "palette size";
/// The order of a palette's colors.
pub const PALETTE_ORDER: &str = "palette order";
/// Several palette entries for one color.
pub const PALETTE_DUPLICATES: &str = "palette duplicates";
/// The entries of ColorMap to which no pixel refers.
pub const UNUSED_PALETTE_ENTRIES: &str = "unused palette entries";

/// Compression.
pub const COMPRESSION: &str = "compression";
/// Predictor.
pub const PREDICTOR: &str = "predictor";
/// FillOrder.
pub const FILL_ORDER: &str = "fill order";
/// T4Options, bit 0: one- or two-dimensional coding.
pub const T4_ROWS: &str = "T.4 rows";
/// T4Options, bit 2: the alignment of end-of-line codes.
pub const T4_EOLS: &str = "T.4 EOLs";

/// The place of the quantization tables of JPEG streams: in each stream, in JPEGTables or in both.
pub const JPEG_QUANTIZATION_TABLES: &str = "JPEG quantization tables";
/// The place of the Huffman tables of JPEG streams.
pub const JPEG_HUFFMAN_TABLES: &str = "JPEG Huffman tables";
/// The order of the tables of a JPEG stream.
pub const JPEG_TABLE_ORDER: &str = "JPEG table order";
/// The number of tables in a marker segment: one or several.
pub const JPEG_TABLES_PER_MARKER: &str = "JPEG tables per marker";
/// The place of quantization tables: before or after the frame header.
pub const JPEG_QUANTIZATION_PLACE: &str = "JPEG quantization place";
/// The place of Huffman tables: before or after the frame header.
pub const JPEG_HUFFMAN_PLACE: &str = "JPEG Huffman place";
/// The numbers by which headers refer to tables.
pub const JPEG_TABLE_NUMBERS: &str = "JPEG table numbers";
/// Tables to which nothing refers.
pub const JPEG_UNUSED_TABLES: &str = "JPEG unused tables";
/// Tables that others replace before they are used.
pub const JPEG_REDEFINED_TABLES: &str = "JPEG redefined tables";
/// The process that a frame header declares, if two are possible.
pub const JPEG_FRAME_HEADER: &str = "JPEG frame header";
/// The place of the restart interval: before or after the frame header.
pub const JPEG_RESTART_PLACE: &str = "JPEG restart place";
/// A restart interval of 0, which is the default.
pub const JPEG_ZERO_RESTART: &str = "JPEG restart interval of 0";
/// Comments in JPEG streams.
pub const JPEG_COMMENTS: &str = "JPEG comments";
/// Data of unknown applications in JPEG streams.
pub const JPEG_APPLICATION_DATA: &str = "JPEG application data";
/// Fill bytes before the markers of JPEG streams.
pub const JPEG_FILL_BYTES: &str = "JPEG fill bytes";

/// The dimensions of JPEG streams.
pub const JPEG: [&str; 15] = [
    JPEG_QUANTIZATION_TABLES,
    JPEG_HUFFMAN_TABLES,
    JPEG_TABLE_ORDER,
    JPEG_TABLES_PER_MARKER,
    JPEG_QUANTIZATION_PLACE,
    JPEG_HUFFMAN_PLACE,
    JPEG_TABLE_NUMBERS,
    JPEG_UNUSED_TABLES,
    JPEG_REDEFINED_TABLES,
    JPEG_FRAME_HEADER,
    JPEG_RESTART_PLACE,
    JPEG_ZERO_RESTART,
    JPEG_COMMENTS,
    JPEG_APPLICATION_DATA,
    JPEG_FILL_BYTES,
];

/// Classic TIFF or BigTIFF.
pub const FORMAT: &str = "format";
/// The order of the bytes of every number.
pub const BYTE_ORDER: &str = "byte order";
/// The content of the bytes of a value field that a short value does not use.
pub const SPARE_BYTES: &str = "spare value bytes";
/// The order of the first directory's entries.
pub const ENTRY_ORDER: &str = "entry order";
/// Tags that describe the picture.
pub const DESCRIPTIVE_TAGS: &str = "descriptive tags";
/// Tags that describe the picture's place in a document.
pub const DOCUMENT_TAGS: &str = "document tags";
/// Private tags.
pub const PRIVATE_TAGS: &str = "private tags";
/// Tags of a type that no document defines.
pub const UNKNOWN_TAGS: &str = "tags of unknown type";
/// The pages after the first.
pub const FURTHER_PAGES: &str = "further pages";
/// The directories to which SubIFDs points.
pub const SUB_IFDS: &str = "sub-IFDs";
/// Whether directories and values begin at even offsets: `yes`, or `no`, which is questionable (TIFF 6.0, section 2:
/// "must begin on a word boundary").
pub const WORD_ALIGNMENT: &str = "word alignment";
/// StripByteCounts or TileByteCounts: `told`, or `left out`, which is questionable (section 8:
/// required).
pub const BYTE_COUNTS: &str = "byte counts";
/// SampleFormat: `unsigned` (1), or `undefined` (4), which is questionable (section 19).
pub const SAMPLE_FORMAT: &str = "sample format";
/// Equal segments in one place, which is questionable (section 7, "No Duplicate Pointers").
pub const SEGMENT_SHARING: &str = "segment sharing";
/// Equal values of tags in one place, which is questionable (the same section).
pub const BLOCK_SHARING: &str = "block sharing";

/// The order of the segments of pages after the first. The names of the dimensions for their gaps and for their places
/// among the other parts start in the same way.
pub const PAGE_SEGMENTS: &str = "page segment ";
/// Equal segments of pages after the first in one place, which is questionable, like
/// [`SEGMENT_SHARING`].
pub const PAGE_SEGMENT_SHARING: &str = "page segment sharing";

/// Dimensions whose values select a feature. A reader that reports such a value as unsupported has a limit, not a
/// fault. TIFF 6.0 requires few of them of a baseline reader (part 1, "Baseline TIFF").
pub const FEATURES: [&str; 16] = [
    ORIENTATION,
    PHOTOMETRIC,
    ALPHA,
    BITS,
    SAMPLES_PER_PIXEL,
    PLANAR,
    TILED,
    PALETTE,
    COMPRESSION,
    PREDICTOR,
    FILL_ORDER,
    T4_ROWS,
    T4_EOLS,
    JPEG_FRAME_HEADER,
    FORMAT,
    SAMPLE_FORMAT,
];

/// The number of pages of a seed that vary: pages 1 to this one. Later pages stay as they are in the seed, at other
/// places.
pub const VARYING_PAGES: usize = 4;

/// Returns the prefix of the names of page `number`'s dimensions: `page 2: `. The first page has no prefix.
pub fn page_scope(number: usize) -> String {
    format!("page {number}: ")
}

/// Splits the name of a dimension into the number of its page, and its name on that page: `(2,
/// "orientation")` for `page 2: orientation`. The dimensions of the first page, and of the whole file,
/// have the number 1.
pub fn of_page(dimension: &str) -> (usize, &str) {
    let split = dimension.strip_prefix("page ").and_then(|rest| rest.split_once(": "));
    let split = split.and_then(|(number, name)| Some((number.parse().ok()?, name)));
    split.filter(|(number, _)| *number > 1).unwrap_or((1, dimension))
}

/// Returns the dimension of a tag's type: `type of ImageWidth`.
pub fn type_of(tag: Tag) -> Cow<'static, str> {
    tag.dimension(TagProperty::Type)
}

/// Returns the dimension that decides whether a default is explicit or absent: `default of Orientation`.
pub fn default_of(tag: Tag) -> Cow<'static, str> {
    tag.dimension(TagProperty::Default)
}

/// The value of a [`default_of`] dimension for a tag that is not in the file.
pub const ABSENT: &str = "absent";

/// Returns true for the dimensions of [`default_of`], of any page.
pub fn is_default(dimension: &str) -> bool {
    tag_with_default(dimension).is_some()
}

/// Returns the name of the tag of a dimension of [`default_of`], of any page: `Orientation`.
pub fn tag_with_default(dimension: &str) -> Option<&str> {
    of_page(dimension).1.strip_prefix("default of ")
}

/// Returns the dimension that decides whether there is one value for all samples: `count of BitsPerSample`.
pub fn count_of(tag: Tag) -> Cow<'static, str> {
    tag.dimension(TagProperty::Count)
}
