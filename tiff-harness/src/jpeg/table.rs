//! Quantization and Huffman tables (T.81, B.2.4.1 and B.2.4.2).

use std::sync::Arc;

use super::marker::{DHT, DQT};

/// The kind of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A quantization table.
    Quantization,
    /// A Huffman table of DC coefficients, or of the differences of a lossless frame.
    Dc,
    /// A Huffman table of AC coefficients.
    Ac,
}

impl Kind {
    /// Returns the marker of its definitions.
    pub(super) fn marker(self) -> u8 {
        if self == Kind::Quantization { DQT } else { DHT }
    }
}

/// A place for a table, to which headers refer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// The kind of its table.
    pub kind: Kind,
    /// Its number, the "destination": 0 to 3.
    pub number: u8,
}

/// A table, for a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The slot that it is for.
    pub slot: Slot,
    /// For a quantization table, 64 elements of one or two bytes each; for a Huffman table, the numbers of codes of
    /// each length, and the values.
    pub values: Arc<[u8]>,
}

impl Table {
    /// Appends its definition, without a marker.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let high = match self.slot.kind {
            Kind::Quantization => u8::from(self.values.len() > 64),
            Kind::Dc => 0,
            Kind::Ac => 1,
        };
        out.push(high << 4 | self.slot.number);
        out.extend(&*self.values);
    }
}

/// Reads the tables of one marker segment; `None` if it is damaged.
pub(super) fn read(marker: u8, mut parameters: &[u8]) -> Option<Vec<Table>> {
    let mut tables = Vec::new();
    while let Some((head, rest)) = parameters.split_first() {
        let (high, number) = (head >> 4, head & 15);
        let (kind, length) = match (marker, high) {
            (DQT, 0 | 1) => (Kind::Quantization, 64 * (1 + usize::from(high))),
            (DHT, 0) => (Kind::Dc, huffman_length(rest)?),
            (DHT, 1) => (Kind::Ac, huffman_length(rest)?),
            _ => return None,
        };
        let (values, after) = rest.split_at_checked(length)?;
        if number > 3 {
            return None;
        }
        tables.push(Table { slot: Slot { kind, number }, values: values.into() });
        parameters = after;
    }
    Some(tables)
}

/// Returns the length of the Huffman table at the start of `bytes`: the numbers of codes of 1 to 16 bits, then a value
/// for each. `None` if there are more than 256 values, or more values than there are codes.
pub(crate) fn huffman_length(bytes: &[u8]) -> Option<usize> {
    let counts = bytes.get(..16)?;
    let mut free: i64 = 1;
    for count in counts {
        free = 2 * free - i64::from(*count);
        if free < 0 {
            return None;
        }
    }
    let values: usize = counts.iter().map(|count| usize::from(*count)).sum();
    (values <= 256).then_some(16 + values)
}
