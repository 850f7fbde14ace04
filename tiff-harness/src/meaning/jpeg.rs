//! The meanings of the dimensions of JPEG streams.

use super::entry::Area::Coding;
use super::entry::{Meaning, ValueMeaning};
use super::table::plain;
use crate::dimension;

/// The entries.
pub(super) const ROWS: [Meaning; 10] = [
    Meaning {
        names: &[dimension::JPEG_QUANTIZATION_TABLES, dimension::JPEG_HUFFMAN_TABLES],
        area: Coding,
        section: "technical note 2",
        words: "The place of the tables of JPEG streams.",
        values: &[
            ValueMeaning("inside", "each stream defines its tables", ""),
            ValueMeaning("apart", "JPEGTables defines the tables, and no stream does", ""),
            ValueMeaning("repeated", "JPEGTables and each stream define the tables", ""),
            ValueMeaning(
                "overridden",
                "each stream replaces other tables, which JPEGTables defines",
                "",
            ),
        ],
    },
    Meaning {
        names: &[dimension::JPEG_TABLES_PER_MARKER],
        area: Coding,
        section: "T.81 B.2.4.1; T.81 B.2.4.2",
        words: "The number of tables that a marker segment of a JPEG stream defines.",
        values: &[
            ValueMeaning("one", "each table has a marker segment of its own", ""),
            ValueMeaning("all", "neighbors of one kind of marker share a marker segment", ""),
        ],
    },
    plain(
        &[dimension::JPEG_TABLE_ORDER],
        Coding,
        "T.81 B.2.4",
        "The order in which a JPEG stream defines its tables.",
    ),
    plain(
        &[dimension::JPEG_QUANTIZATION_PLACE, dimension::JPEG_HUFFMAN_PLACE],
        Coding,
        "T.81 B.2.1",
        "Definitions of tables come before or behind the frame header of a JPEG stream.",
    ),
    plain(
        &[dimension::JPEG_TABLE_NUMBERS],
        Coding,
        "T.81 B.2.2; T.81 B.2.3",
        "The numbers by which the headers of a JPEG stream refer to tables.",
    ),
    plain(
        &[dimension::JPEG_UNUSED_TABLES, dimension::JPEG_REDEFINED_TABLES],
        Coding,
        "T.81 B.2.4.1; T.81 B.2.4.2",
        "Definitions of tables that have no effect: nothing refers to them, or others replace them.",
    ),
    Meaning {
        names: &[dimension::JPEG_FRAME_HEADER],
        area: Coding,
        section: "T.81 B.2.2",
        words: "The process that the frame header of a JPEG stream declares.",
        values: &[
            ValueMeaning("SOF0", "the baseline process", ""),
            ValueMeaning("SOF1", "the extended sequential process, which includes the other", ""),
        ],
    },
    plain(
        &[dimension::JPEG_RESTART_PLACE, dimension::JPEG_ZERO_RESTART],
        Coding,
        "T.81 B.2.4.4",
        "The definition of the restart interval of a JPEG stream.",
    ),
    plain(
        &[dimension::JPEG_COMMENTS, dimension::JPEG_APPLICATION_DATA],
        Coding,
        "T.81 B.2.4.5; T.81 B.2.4.6; technical note 2",
        "Marker segments of a JPEG stream that TIFF readers ignore.",
    ),
    plain(
        &[dimension::JPEG_FILL_BYTES],
        Coding,
        "T.81 B.1.1.2",
        "Bytes of 255 before the markers of a JPEG stream.",
    ),
];
