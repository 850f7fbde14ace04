//! Writes a record as JSON.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::program::RecordType;
use crate::run::store::{Array, Cells, FieldValue, Record, each};

/// The bytes that are made at once.
const WINDOW: usize = 1 << 16;

/// A record's value, to be written as JSON without a tree.
#[derive(Debug, Clone, Copy)]
pub struct AsJson<'a> {
    /// The type.
    pub record: &'a RecordType,
    /// The value.
    pub value: &'a Record,
}

/// A record's value as a JSON tree. [`AsJson`] does not need the memory of a tree.
pub fn to_json(record: &RecordType, value: &Record) -> Value {
    // JSON can represent the numbers of all types.
    serde_json::to_value(AsJson { record, value }).unwrap_or_default()
}

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.record.fields.len()))?;
        for (f, field_value) in self.record.fields.iter().zip(&self.value.fields) {
            match field_value {
                FieldValue::Scalar(n) => match u64::try_from(*n) {
                    Ok(n) => map.serialize_entry(&f.name, &n)?,
                    Err(_) => map.serialize_entry(&f.name, &(*n as i64))?,
                },
                FieldValue::Array(Array { lengths, cells }) => {
                    map.serialize_entry(&f.name, &Rows { lengths, cells, from: 0 })?;
                }
            }
        }
        map.end()
    }
}

/// The part of an array with the lengths `lengths` and its first element at `from`.
struct Rows<'a> {
    lengths: &'a [usize],
    cells: &'a Cells,
    from: usize,
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { cells, from, .. } = *self;
        let (n, lengths) = self.lengths.split_first().map_or((0, self.lengths), |(n, l)| (*n, l));
        let mut list = to.serialize_seq(Some(n))?;
        if !lengths.is_empty() {
            let size: usize = lengths.iter().product();
            for k in 0..n {
                list.serialize_element(&Rows { lengths, cells, from: from + k * size })?;
            }
            return list.end();
        }
        let range = from..from + n;
        match cells {
            Cells::U8(bytes) => {
                for at in range.clone().step_by(WINDOW) {
                    let window = bytes.window(at..range.end.min(at + WINDOW));
                    window.iter().try_for_each(|n| list.serialize_element(n))?;
                }
            }
            others => each!(others, v => {
                let row = v.get(range).unwrap_or_default();
                row.iter().try_for_each(|n| list.serialize_element(n))?;
            }),
        }
        list.end()
    }
}
