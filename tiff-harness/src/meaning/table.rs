//! The table of meanings, by area. `docs/tiff.md` has the same sections: a test compares them.

use super::Area::{Coding, Container, Orientation, Photometric, Samples, Segments};
use super::{Meaning, Meant};

const LIBTIFF: &str = "libtiff";
const NOTES: &str = "Adobe's notes";

/// A dimension whose values say what they are.
const fn plain(
    names: &'static [&'static str],
    area: super::Area,
    section: &'static str,
    words: &'static str,
) -> Meaning {
    Meaning { names, area, section, words, values: &[] }
}

/// All of them.
pub(super) const ROWS: [Meaning; 47] = [
    Meaning {
        names: &["format"],
        area: Container,
        section: "BigTIFF",
        words: "Whether offsets in the file have 32 or 64 bits.",
        values: &[
            Meant("classic", "classic TIFF: version 42, offsets of 4 bytes", ""),
            Meant("BigTIFF", "BigTIFF: version 43, offsets of 8 bytes", ""),
        ],
    },
    Meaning {
        names: &["byte order"],
        area: Container,
        section: "2",
        words: "Which byte of a number comes first, in the whole file.",
        values: &[
            Meant("II", "little-endian: the least significant byte first", ""),
            Meant("MM", "big-endian: the most significant byte first", ""),
        ],
    },
    plain(
        &["type of "],
        Container,
        "8",
        "The type of the tag's values; the values are the same in each.",
    ),
    Meaning {
        names: &["default of "],
        area: Container,
        section: "8",
        words: "Whether a tag that has its default value is in the directory.",
        values: &[
            Meant("explicit", "the tag is there, and has the value that it has by default", ""),
            Meant("absent", "the tag is not there: its default holds", ""),
        ],
    },
    Meaning {
        names: &["count of "],
        area: Container,
        section: "8",
        words: "Whether a tag that has a value for each sample tells them all.",
        values: &[
            Meant("per sample", "one value for each sample", ""),
            Meant("one", "one value for all samples together", ""),
        ],
    },
    Meaning {
        names: &["descriptive tags"],
        area: Container,
        section: "8",
        words: "Tags that describe the picture for people: Software, DateTime, Artist, ….",
        values: &[Meant("none", "nothing but what the seed has", "")],
    },
    Meaning {
        names: &["document tags"],
        area: Container,
        section: "12",
        words: "Tags that place the picture in a document: DocumentName, PageName, ….",
        values: &[Meant("none", "nothing but what the seed has", "")],
    },
    Meaning {
        names: &["private tags"],
        area: Container,
        section: "2",
        words: "Tags with a number above 32767 that no standard knows; readers ignore them.",
        values: &[
            Meant("none", "nothing but what the seed has", ""),
            Meant("several", "several private tags of any types", ""),
        ],
    },
    plain(
        &["tags of unknown type"],
        Container,
        "2",
        "Tags whose type no standard knows; readers skip them.",
    ),
    Meaning {
        names: &["further pages"],
        area: Container,
        section: "2",
        words: "Other pictures in the chain of directories, after the one that is shown.",
        values: &[
            Meant("none", "one directory", ""),
            Meant("page after", "a second page of a document follows", ""),
            Meant("thumbnail after", "a smaller version of the picture follows", ""),
        ],
    },
    plain(
        &["sub-IFDs"],
        Container,
        NOTES,
        "Smaller versions of the picture in directories that only the tag SubIFDs points to.",
    ),
    Meaning {
        names: &["spare value bytes"],
        area: Container,
        section: "2",
        words: "What is in the bytes of an entry that a short value leaves over.",
        values: &[
            Meant("zeros", "zeros", ""),
            Meant("filler", "any bytes: they are no part of the value", ""),
        ],
    },
    Meaning {
        names: &["entry order"],
        area: Container,
        section: "2",
        words: "The order of the entries of the directory.",
        values: &[Meant("ascending", "ascending by the tag's number", "")],
    },
    Meaning {
        names: &["word alignment"],
        area: Container,
        section: "2",
        words: "Whether directories and values begin at even offsets.",
        values: &[Meant("yes", "even offsets only", ""), Meant("no", "odd offsets, too", "")],
    },
    plain(
        &["IFD "],
        Container,
        "2, 8",
        "Where the directory lies in the file, and what is free before it.",
    ),
    Meaning {
        names: &["block sharing"],
        area: Container,
        section: "7, No Duplicate Pointers",
        words: "Whether equal values of tags lie in one place.",
        values: &[Meant("none", "each in a place of its own", "")],
    },
    plain(
        &["block "],
        Container,
        "2, 8",
        "Where the values lie that do not fit into their entries: their order, and what is free \
         between them.",
    ),
    plain(
        &["file fill", "file tail"],
        Container,
        "2, 8",
        "Bytes that belong to nothing: between the parts of the file, or after the last one.",
    ),
    Meaning {
        names: &["tiled"],
        area: Segments,
        section: "15",
        words: "Whether the picture is cut into strips or tiles.",
        values: &[
            Meant("0", "strips, as wide as the picture", ""),
            Meant("1", "tiles, in rows and columns", ""),
        ],
    },
    Meaning {
        names: &["rows_per_strip"],
        area: Segments,
        section: "8",
        words: "How many rows of pixels a strip has.",
        values: &[
            Meant("1", "each row is a strip of its own", ""),
            Meant("4294967295", "2^32 - 1: the whole picture is one strip", ""),
        ],
    },
    plain(
        &["tile_width", "tile_length"],
        Segments,
        "15",
        "How many pixels wide or long each tile is: a multiple of 16.",
    ),
    plain(
        &["tile padding fill"],
        Segments,
        "15",
        "What is in the part of a tile that lies outside of the picture; readers skip it.",
    ),
    Meaning {
        names: &["planar"],
        area: Segments,
        section: "8",
        words: "PlanarConfiguration: how the samples of a pixel lie.",
        values: &[
            Meant("1", "chunky: the samples of a pixel lie side by side", ""),
            Meant("2", "planar: each sample has strips or tiles of its own", ""),
        ],
    },
    Meaning {
        names: &["segment sharing"],
        area: Segments,
        section: "7, No Duplicate Pointers",
        words: "Whether equal strips or tiles lie in one place.",
        values: &[Meant("none", "each in a place of its own", "")],
    },
    plain(
        &["segment "],
        Segments,
        "2, 8",
        "Where the strips or tiles lie in the file: their order, and what is free between them.",
    ),
    plain(
        &["offsets "],
        Segments,
        "2, 8",
        "Where the array of StripOffsets or TileOffsets lies in the file.",
    ),
    plain(
        &["counts "],
        Segments,
        "2, 8",
        "Where the array of StripByteCounts or TileByteCounts lies in the file.",
    ),
    Meaning {
        names: &["offset bytes", "count bytes"],
        area: Segments,
        section: "8",
        words: "The type of the places, or of the lengths, of strips or tiles.",
        values: &[
            Meant("2", "SHORT: 2 bytes each", ""),
            Meant("4", "LONG: 4 bytes each", ""),
            Meant("8", "LONG8: 8 bytes each", ""),
        ],
    },
    Meaning {
        names: &["byte counts"],
        area: Segments,
        section: "8",
        words: "Whether the lengths of strips or tiles are told.",
        values: &[
            Meant("told", "there are StripByteCounts or TileByteCounts", ""),
            Meant("left out", "there are none; the one uncompressed strip is as long as it is", ""),
        ],
    },
    Meaning {
        names: &["compression"],
        area: Coding,
        section: "",
        words: "How strips or tiles are compressed, always without loss.",
        values: &[
            Meant("none", "not compressed", "3"),
            Meant("PackBits", "PackBits: runs of bytes", "9"),
            Meant("CCITT RLE", "CCITT modified Huffman run lengths", "10"),
            Meant("CCITT T.4", "CCITT group 3", "11"),
            Meant("CCITT T.6", "CCITT group 4", "11"),
            Meant("LZW", "LZW", "13"),
            Meant("Deflate", "zlib's Deflate, as Compression 8", NOTES),
            Meant("Deflate 32946", "zlib's Deflate, by its old number 32946", NOTES),
            Meant("Zstandard", "Zstandard, which no standard of TIFF has", LIBTIFF),
            Meant("LZMA", "LZMA, which no standard of TIFF has", LIBTIFF),
            Meant("WebP", "WebP without loss, which no standard of TIFF has", LIBTIFF),
        ],
    },
    Meaning {
        names: &["predictor"],
        area: Coding,
        section: "14",
        words: "What is compressed: the samples, or how they change.",
        values: &[
            Meant("none", "the samples themselves", ""),
            Meant("horizontal", "differences to the sample before in the row", ""),
        ],
    },
    Meaning {
        names: &["fill order"],
        area: Coding,
        section: "8",
        words: "FillOrder: from which end the bits of each byte are read.",
        values: &[
            Meant("1", "the most significant bit first", ""),
            Meant("2", "the least significant bit first", ""),
        ],
    },
    plain(
        &["T.4 rows", "T.4 EOLs"],
        Coding,
        "11",
        "T4Options: whether rows lean on the row before, and whether ends of line end a byte.",
    ),
    plain(
        &["PackBits "],
        Coding,
        "9",
        "Which of the legal PackBits streams: where runs begin and end, bytes that mean nothing.",
    ),
    plain(
        &["CCITT RLE "],
        Coding,
        "10",
        "Which of the legal modified Huffman streams for the same rows.",
    ),
    plain(
        &["CCITT T.4 ", "CCITT T.6 "],
        Coding,
        "11",
        "Which of the legal fax streams: modes of coding, fill, how it ends.",
    ),
    plain(
        &["LZW "],
        Coding,
        "13",
        "Which of the legal LZW streams: when the table is cleared, how long matches are, how it \
         ends.",
    ),
    plain(
        &["Deflate "],
        Coding,
        NOTES,
        "Which of the legal Deflate streams: window, matches, blocks and their codes.",
    ),
    plain(
        &["Zstandard ", "LZMA ", "WebP "],
        Coding,
        LIBTIFF,
        "Which of the streams that are legal for the compression.",
    ),
    plain(
        &["row padding"],
        Coding,
        "3",
        "The bits between the last sample of a row and the next byte; readers skip them.",
    ),
    Meaning {
        names: &["bits"],
        area: Samples,
        section: "3 to 6, 8",
        words: "BitsPerSample: how many bits each sample has; the levels shown are the same.",
        values: &[],
    },
    plain(
        &["samples_per_pixel", "extra sample fill"],
        Samples,
        "7, 8",
        "How many samples a pixel has, or what is in those that mean nothing: ExtraSamples says \
         that they are unspecified, and readers skip them.",
    ),
    Meaning {
        names: &["sample format"],
        area: Samples,
        section: "19",
        words: "SampleFormat: what kind of numbers the samples are.",
        values: &[
            Meant("unsigned", "unsigned integers", ""),
            Meant("undefined", "undefined: to be read as unsigned integers", ""),
        ],
    },
    Meaning {
        names: &["photometric"],
        area: Photometric,
        section: "3, 4, 6",
        words: "PhotometricInterpretation: what the samples mean as colours.",
        values: &[
            Meant("0", "WhiteIsZero: gray, 0 is white", ""),
            Meant("1", "BlackIsZero: gray, 0 is black", ""),
            Meant("2", "RGB: red, green and blue", ""),
        ],
    },
    Meaning {
        names: &["alpha"],
        area: Photometric,
        section: "18",
        words: "ExtraSamples: whether pixels have an alpha, and of what kind.",
        values: &[
            Meant("0", "no alpha", ""),
            Meant("1", "associated alpha: colours are multiplied by it; it is opaque here", ""),
            Meant("2", "unassociated alpha: colours are as they are", ""),
        ],
    },
    Meaning {
        names: &[
            "palette",
            "palette size",
            "palette order",
            "palette duplicates",
            "unused palette entries",
        ],
        area: Photometric,
        section: "5",
        words: "Whether pixels are places in a ColorMap, and how its entries are used.",
        values: &[
            Meant("no", "the pixels have their colours themselves", ""),
            Meant("yes", "the pixels are places in ColorMap", ""),
        ],
    },
    Meaning {
        names: &["orientation"],
        area: Orientation,
        section: "8",
        words: "Orientation: where the first stored row and column are in the picture shown.",
        values: &[
            Meant("1", "as stored: row 0 at the top, column 0 at the left", ""),
            Meant("2", "row 0 at the top, column 0 at the right: mirrored", ""),
            Meant("3", "row 0 at the bottom, column 0 at the right: turned by 180°", ""),
            Meant("4", "row 0 at the bottom, column 0 at the left: mirrored", ""),
            Meant("5", "row 0 at the left, column 0 at the top: mirrored along the diagonal", ""),
            Meant("6", "row 0 at the right, column 0 at the top: turned by a quarter", ""),
            Meant("7", "row 0 at the right, column 0 at the bottom: mirrored and turned", ""),
            Meant("8", "row 0 at the left, column 0 at the bottom: turned by a quarter", ""),
        ],
    },
];
