//! The form of all streams of a picture.

use super::stream::Stream;
use super::table::{Kind, Table};

/// The place of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tables {
    Inside,
    Apart,
    Repeated,
    Overridden,
}

impl Tables {
    /// Returns true if the stream has each table.
    pub fn are_inside(self) -> bool {
        self != Tables::Apart
    }
}

/// The division of tables into marker segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PerMarker {
    Kept,
    One,
    All,
}

/// The form of the streams of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rearrangement {
    pub quantization: Tables,
    pub huffman: Tables,
    pub order: Option<u64>,
    pub per_marker: PerMarker,
    pub quantization_behind: bool,
    pub huffman_behind: bool,
    pub numbers: Option<u64>,
    pub unused: Option<u64>,
    pub redefined: Option<u64>,
    /// True if a frame that could be baseline is declared as extended sequential.
    pub extended: bool,
    pub interval_behind: bool,
    pub explicit_zero: bool,
    pub comments: Option<u64>,
    pub application_data: Option<u64>,
    pub fill: Option<u64>,
}

impl Rearrangement {
    /// Returns the form of a file, from its first stream and the tables of JPEGTables.
    pub fn of(streams: &[Stream], apart: &[(Table, usize)]) -> Self {
        let first = streams.first();
        let form = first.map(|stream| stream.form.clone()).unwrap_or_default();
        let tables = |of_kind: fn(Kind) -> bool, defined: bool| {
            let of_kind = |table: &&Table| of_kind(table.slot.kind);
            let used: Vec<&Table> =
                first.into_iter().flat_map(Stream::tables).filter(of_kind).collect();
            let has = |found: &&Table| apart.iter().any(|(table, _)| table == *found);
            let has_slot = |found: &&Table| apart.iter().any(|(t, _)| t.slot == found.slot);
            let (all, any) = (used.iter().all(has), used.iter().any(has_slot));
            match (any, defined) {
                (false, _) => Tables::Inside,
                (true, false) => Tables::Apart,
                (true, true) if all => Tables::Repeated,
                (true, true) => Tables::Overridden,
            }
        };
        let zero = |stream: &Stream| stream.scans.iter().all(|scan| scan.interval == 0);
        Self {
            quantization: tables(|k| k == Kind::Quantization, form.defines_quantization),
            huffman: tables(|k| k != Kind::Quantization, form.defines_huffman),
            order: None,
            per_marker: PerMarker::Kept,
            quantization_behind: form.quantization_behind,
            huffman_behind: form.huffman_behind,
            numbers: None,
            unused: None,
            redefined: None,
            extended: first.is_some_and(|stream| stream.frame.process == 1),
            interval_behind: form.interval_behind == Some(true),
            explicit_zero: form.interval_behind.is_some() && first.is_some_and(zero),
            comments: None,
            application_data: None,
            fill: None,
        }
    }
}
