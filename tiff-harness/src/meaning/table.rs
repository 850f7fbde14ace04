//! The table of meanings, by area. `docs/tiff.md` has the same sections, and a test compares them.

use super::entry::Area::{Coding, Container, Orientation, Photometric, Samples, Segments};
use super::entry::{Area, Meaning, ValueMeaning};
use crate::dimension;

const LIBTIFF: &str = "libtiff";
const NOTES: &str = "Adobe's notes";

/// Returns the meaning of dimensions whose values are self-explanatory.
pub(super) const fn plain(
    names: &'static [&'static str],
    area: Area,
    section: &'static str,
    words: &'static str,
) -> Meaning {
    Meaning { names, area, section, words, values: &[] }
}

/// All entries except those of JPEG streams.
pub(super) const ROWS: [Meaning; 48] = [
    Meaning {
        names: &[dimension::FORMAT],
        area: Container,
        section: "BigTIFF",
        words: "The size of offsets in the file: 32 or 64 bits.",
        values: &[
            ValueMeaning("classic", "classic TIFF: version 42, offsets of 4 bytes", ""),
            ValueMeaning("BigTIFF", "BigTIFF: version 43, offsets of 8 bytes", ""),
        ],
    },
    Meaning {
        names: &[dimension::BYTE_ORDER],
        area: Container,
        section: "2",
        words: "The byte order of all numbers in the file.",
        values: &[
            ValueMeaning("II", "little-endian: the least significant byte first", ""),
            ValueMeaning("MM", "big-endian: the most significant byte first", ""),
        ],
    },
    plain(
        &["type of "],
        Container,
        "8",
        "The type of the tag's values; the values are the same in every type.",
    ),
    Meaning {
        names: &["default of "],
        area: Container,
        section: "8",
        words: "The presence of a tag that has its default value.",
        values: &[
            ValueMeaning("explicit", "the tag is present and has its default value", ""),
            ValueMeaning("absent", "the tag is absent: its default applies", ""),
        ],
    },
    Meaning {
        names: &["count of "],
        area: Container,
        section: "8",
        words: "The number of values of a tag that has one for each sample.",
        values: &[
            ValueMeaning("per sample", "one value for each sample", ""),
            ValueMeaning("one", "one value for all samples", ""),
        ],
    },
    Meaning {
        names: &[dimension::DESCRIPTIVE_TAGS],
        area: Container,
        section: "8",
        words: "Tags that describe the picture for people: Software, DateTime, Artist, ….",
        values: &[ValueMeaning("none", "only those of the seed", "")],
    },
    Meaning {
        names: &[dimension::DOCUMENT_TAGS],
        area: Container,
        section: "12",
        words: "Tags that place the picture in a document: DocumentName, PageName, ….",
        values: &[ValueMeaning("none", "only those of the seed", "")],
    },
    Meaning {
        names: &[dimension::PRIVATE_TAGS],
        area: Container,
        section: "2",
        words: "Tags with a number above 32767 that no standard defines; readers ignore them.",
        values: &[
            ValueMeaning("none", "only those of the seed", ""),
            ValueMeaning("several", "several private tags of any types", ""),
        ],
    },
    plain(
        &[dimension::UNKNOWN_TAGS],
        Container,
        "2",
        "Tags of a type that no standard defines; readers skip them.",
    ),
    Meaning {
        names: &[dimension::FURTHER_PAGES],
        area: Container,
        section: "2",
        words: "Other pictures in the chain of directories, after the one that is displayed.",
        values: &[
            ValueMeaning("none", "one directory", ""),
            ValueMeaning("page after", "a second page of a document follows", ""),
            ValueMeaning("thumbnail after", "a smaller version of the picture follows", ""),
        ],
    },
    plain(
        &[dimension::SUB_IFDS],
        Container,
        NOTES,
        "Smaller versions of the picture, in directories that only the tag SubIFDs points to.",
    ),
    Meaning {
        names: &[dimension::SPARE_BYTES],
        area: Container,
        section: "2",
        words: "The bytes of an entry that a short value leaves over.",
        values: &[
            ValueMeaning("zeros", "zeros", ""),
            ValueMeaning("filler", "any bytes: they are no part of the value", ""),
        ],
    },
    Meaning {
        names: &[dimension::ENTRY_ORDER],
        area: Container,
        section: "2",
        words: "The order of the entries of the directory.",
        values: &[ValueMeaning("ascending", "ascending by the tag's number", "")],
    },
    Meaning {
        names: &[dimension::WORD_ALIGNMENT],
        area: Container,
        section: "2",
        words: "The alignment of directories and values.",
        values: &[
            ValueMeaning("yes", "even offsets only", ""),
            ValueMeaning("no", "odd offsets as well", ""),
        ],
    },
    plain(
        &["IFD "],
        Container,
        "2, 8",
        "The place of the directory in the file, and the free space before it.",
    ),
    Meaning {
        names: &[dimension::BLOCK_SHARING],
        area: Container,
        section: "7, No Duplicate Pointers",
        words: "Equal values of different tags in one place.",
        values: &[ValueMeaning("none", "each in a place of its own", "")],
    },
    plain(
        &["block "],
        Container,
        "2, 8",
        "The places of values that do not fit into their entries: their order, and the free space \
         between them.",
    ),
    plain(
        &["file fill", "file tail"],
        Container,
        "2, 8",
        "Unused bytes between the parts of the file, or after the last one.",
    ),
    Meaning {
        names: &[dimension::TILED],
        area: Segments,
        section: "15",
        words: "The division of the picture into strips or tiles.",
        values: &[
            ValueMeaning("0", "strips, as wide as the picture", ""),
            ValueMeaning("1", "tiles, in rows and columns", ""),
        ],
    },
    Meaning {
        names: &[dimension::ROWS_PER_STRIP],
        area: Segments,
        section: "8",
        words: "The number of pixel rows in a strip.",
        values: &[
            ValueMeaning("1", "each row is a strip of its own", ""),
            ValueMeaning("4294967295", "2^32 - 1: the whole picture is one strip", ""),
        ],
    },
    plain(
        &[dimension::TILE_WIDTH, dimension::TILE_LENGTH],
        Segments,
        "15",
        "The width or length of each tile in pixels: a multiple of 16.",
    ),
    plain(
        &["tile padding fill"],
        Segments,
        "15",
        "The content of a tile outside of the picture; readers skip it.",
    ),
    Meaning {
        names: &[dimension::PLANAR],
        area: Segments,
        section: "8",
        words: "PlanarConfiguration: the arrangement of a pixel's samples.",
        values: &[
            ValueMeaning("1", "chunky: the samples of a pixel lie side by side", ""),
            ValueMeaning("2", "planar: each sample has strips or tiles of its own", ""),
        ],
    },
    Meaning {
        names: &[dimension::SEGMENT_SHARING, dimension::PAGE_SEGMENT_SHARING],
        area: Segments,
        section: "7, No Duplicate Pointers",
        words: "Equal strips or tiles in one place.",
        values: &[ValueMeaning("none", "each in a place of its own", "")],
    },
    plain(
        &["segment "],
        Segments,
        "2, 8",
        "The places of strips or tiles in the file: their order, and the free space between them.",
    ),
    plain(
        &[dimension::PAGE_SEGMENTS],
        Segments,
        "2, 8",
        "The places of the strips or tiles of further pages of the seed: their order, and the free \
         space between them.",
    ),
    plain(
        &["offsets "],
        Segments,
        "2, 8",
        "The place of the array of StripOffsets or TileOffsets in the file.",
    ),
    plain(
        &["counts "],
        Segments,
        "2, 8",
        "The place of the array of StripByteCounts or TileByteCounts in the file.",
    ),
    Meaning {
        names: &[dimension::OFFSET_BYTES, dimension::COUNT_BYTES],
        area: Segments,
        section: "8",
        words: "The type of the offsets, or of the byte counts, of strips or tiles.",
        values: &[
            ValueMeaning("2", "SHORT: 2 bytes each", ""),
            ValueMeaning("4", "LONG: 4 bytes each", ""),
            ValueMeaning("8", "LONG8: 8 bytes each", ""),
        ],
    },
    Meaning {
        names: &[dimension::BYTE_COUNTS],
        area: Segments,
        section: "8",
        words: "The presence of StripByteCounts or TileByteCounts.",
        values: &[
            ValueMeaning("told", "the byte counts are present", ""),
            ValueMeaning(
                "left out",
                "the byte counts are absent; the length of the one uncompressed strip follows from the picture",
                "",
            ),
        ],
    },
    Meaning {
        names: &[dimension::COMPRESSION],
        area: Coding,
        section: "",
        words: "The compression of strips or tiles, always lossless.",
        values: &[
            ValueMeaning("none", "not compressed", "3"),
            ValueMeaning("PackBits", "PackBits: runs of bytes", "9"),
            ValueMeaning("CCITT RLE", "CCITT modified Huffman run lengths", "10"),
            ValueMeaning("CCITT T.4", "CCITT group 3", "11"),
            ValueMeaning("CCITT T.6", "CCITT group 4", "11"),
            ValueMeaning("LZW", "LZW", "13"),
            ValueMeaning("Deflate", "zlib's Deflate, as Compression 8", NOTES),
            ValueMeaning("Deflate 32946", "zlib's Deflate, by its old number 32946", NOTES),
            ValueMeaning("Zstandard", "Zstandard, which no TIFF standard defines", LIBTIFF),
            ValueMeaning("LZMA", "LZMA, which no TIFF standard defines", LIBTIFF),
            ValueMeaning("WebP", "lossless WebP, which no TIFF standard defines", LIBTIFF),
        ],
    },
    Meaning {
        names: &[dimension::PREDICTOR],
        area: Coding,
        section: "14",
        words: "Predictor: compressing the samples, or their differences.",
        values: &[
            ValueMeaning("none", "the samples themselves", ""),
            ValueMeaning("horizontal", "differences to the previous sample in the row", ""),
            ValueMeaning(
                "floating point",
                "differences of the bytes of floating point numbers, the most significant bytes first",
                NOTES,
            ),
        ],
    },
    Meaning {
        names: &[dimension::FILL_ORDER],
        area: Coding,
        section: "8",
        words: "FillOrder: the order of the bits in each byte.",
        values: &[
            ValueMeaning("1", "the most significant bit first", ""),
            ValueMeaning("2", "the least significant bit first", ""),
        ],
    },
    plain(
        &[dimension::T4_ROWS, dimension::T4_EOLS],
        Coding,
        "11",
        "T4Options: coding of a row relative to the previous one, and alignment of end-of-line codes.",
    ),
    plain(
        &["PackBits "],
        Coding,
        "9",
        "One of the legal PackBits streams: the limits of runs, and bytes without a meaning.",
    ),
    plain(
        &["CCITT RLE "],
        Coding,
        "10",
        "One of the legal modified Huffman streams for the same rows.",
    ),
    plain(
        &["CCITT T.4 ", "CCITT T.6 "],
        Coding,
        "11",
        "One of the legal fax streams: coding modes, fill, and the end of the stream.",
    ),
    plain(
        &["LZW "],
        Coding,
        "13",
        "One of the legal LZW streams: clear codes, the length of matches, and the end of the stream.",
    ),
    plain(
        &["Deflate "],
        Coding,
        NOTES,
        "One of the legal Deflate streams: window, matches, blocks and their codes.",
    ),
    plain(
        &["Zstandard ", "LZMA ", "WebP "],
        Coding,
        LIBTIFF,
        "One of the legal streams of the compression.",
    ),
    plain(
        &["row padding"],
        Coding,
        "3",
        "The bits between the last sample of a row and the next byte; readers skip them.",
    ),
    Meaning {
        names: &[dimension::BITS],
        area: Samples,
        section: "3 to 6, 8",
        words: "BitsPerSample: the number of bits of each sample; the displayed levels are the same.",
        values: &[],
    },
    plain(
        &[dimension::SAMPLES_PER_PIXEL, "extra sample fill"],
        Samples,
        "7, 8",
        "The number of samples of a pixel, or the content of samples without a meaning: ExtraSamples \
         declares them unspecified, and readers skip them.",
    ),
    Meaning {
        names: &[dimension::SAMPLE_FORMAT],
        area: Samples,
        section: "19",
        words: "SampleFormat: the kind of numbers that the samples are.",
        values: &[
            ValueMeaning("unsigned", "unsigned integers", ""),
            ValueMeaning("undefined", "undefined: to be read as unsigned integers", ""),
        ],
    },
    Meaning {
        names: &[dimension::PHOTOMETRIC],
        area: Photometric,
        section: "3, 4, 6",
        words: "PhotometricInterpretation: the colors that the samples stand for.",
        values: &[
            ValueMeaning("0", "WhiteIsZero: gray, 0 is white", ""),
            ValueMeaning("1", "BlackIsZero: gray, 0 is black", ""),
            ValueMeaning("2", "RGB: red, green and blue", ""),
        ],
    },
    Meaning {
        names: &[dimension::ALPHA],
        area: Photometric,
        section: "18",
        words: "ExtraSamples: the kind of alpha that pixels have, if any.",
        values: &[
            ValueMeaning("0", "no alpha", ""),
            ValueMeaning(
                "1",
                "associated alpha: colors are premultiplied; every pixel is opaque",
                "",
            ),
            ValueMeaning("2", "unassociated alpha: colors are not premultiplied", ""),
        ],
    },
    Meaning {
        names: &[
            dimension::PALETTE,
            dimension::PALETTE_SIZE,
            dimension::PALETTE_ORDER,
            dimension::PALETTE_DUPLICATES,
            dimension::UNUSED_PALETTE_ENTRIES,
        ],
        area: Photometric,
        section: "5",
        words: "The use of a ColorMap, and of its entries.",
        values: &[
            ValueMeaning("no", "pixels have colors of their own", ""),
            ValueMeaning("yes", "pixels are indices into ColorMap", ""),
        ],
    },
    Meaning {
        names: &[dimension::ORIENTATION],
        area: Orientation,
        section: "8",
        words: "Orientation: the places of the first stored row and column in the displayed picture.",
        values: &[
            ValueMeaning("1", "as stored: row 0 at the top, column 0 at the left", ""),
            ValueMeaning("2", "row 0 at the top, column 0 at the right: mirrored", ""),
            ValueMeaning("3", "row 0 at the bottom, column 0 at the right: turned by 180°", ""),
            ValueMeaning("4", "row 0 at the bottom, column 0 at the left: mirrored", ""),
            ValueMeaning(
                "5",
                "row 0 at the left, column 0 at the top: mirrored along the diagonal",
                "",
            ),
            ValueMeaning("6", "row 0 at the right, column 0 at the top: turned by a quarter", ""),
            ValueMeaning(
                "7",
                "row 0 at the right, column 0 at the bottom: mirrored and turned",
                "",
            ),
            ValueMeaning("8", "row 0 at the left, column 0 at the bottom: turned by a quarter", ""),
        ],
    },
];
