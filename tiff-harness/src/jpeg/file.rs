//! All streams of a picture.

use std::collections::{BTreeMap, BTreeSet};

use super::parse::{parse, parse_tables};
use super::rearrangement::Rearrangement;
use super::stream::Stream;
use super::table::{Kind, Slot, Table};

/// The streams of a picture, and its JPEGTables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JpegFile {
    pub(super) streams: Vec<Stream>,
    /// The tables that may be in JPEGTables: each slot has the same table wherever it is used.
    pub(super) common: Vec<Table>,
    /// Every slot that is used.
    pub(super) used: BTreeSet<Slot>,
    /// The form of the file.
    pub(super) own: Rearrangement,
}

impl JpegFile {
    /// Reads the streams of a picture whose JPEGTables is `tables`. Returns `None` if there are none, or if one is not
    /// understood.
    pub fn read(tables: Option<&[u8]>, streams: &[Vec<u8>]) -> Option<Self> {
        let apart = tables.map_or(Some(Vec::new()), parse_tables)?;
        let streams: Option<Vec<Stream>> = streams.iter().map(|s| parse(s, &apart)).collect();
        let streams = streams.filter(|streams| !streams.is_empty())?;
        let mut values: BTreeMap<Slot, Option<&Table>> = BTreeMap::new();
        for table in streams.iter().flat_map(Stream::tables) {
            let known = values.entry(table.slot).or_insert(Some(table));
            if *known != Some(table) {
                *known = None;
            }
        }
        let used = values.keys().copied().collect();
        let common = values.into_values().flatten().cloned().collect();
        let own = Rearrangement::of(&streams, &apart);
        Some(Self { streams, common, used, own })
    }

    /// Returns the meaning of each stream ([`Stream::meaning`]).
    pub fn meanings(&self) -> Vec<Vec<u8>> {
        self.streams.iter().map(Stream::meaning).collect()
    }

    /// Returns true if tables of this kind are used.
    pub(super) fn uses(&self, kind: Kind) -> bool {
        self.used.iter().any(|slot| slot.kind == kind)
    }

    /// Returns the slots in which every stream may have tables, for the kinds that are used.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        let huffman = self.streams.iter().map(Stream::max_huffman).min().unwrap_or(1);
        [Kind::Quantization, Kind::Dc, Kind::Ac]
            .into_iter()
            .filter(|kind| self.uses(*kind))
            .map(move |kind| (kind, if kind == Kind::Quantization { 3 } else { huffman }))
            .flat_map(|(kind, most)| (0..=most).map(move |number| Slot { kind, number }))
    }
}
