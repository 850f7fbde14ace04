//! Reads a record from JSON.

use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, MapAccess};
use serde_json::Value;

use super::any::{Any, Skip, Take, brief};
use super::elements::{Elements, Row};
use crate::program::{Field, Length, RecordType};
use crate::run::MAX_CELLS;
use crate::run::store::{Array, Cells, FieldValue, Record};

/// The longest text that is read from a reader, which may be endless; [`MAX_CELLS`] elements of any width fit.
const MAX_TEXT: u64 = 32 * MAX_CELLS as u64;

/// The record's value that the JSON in `text` holds.
///
/// # Errors
///
/// The first thing that does not fit, in one line.
pub fn from_json_text(record: &RecordType, text: &str) -> Result<Record, String> {
    let value = whole(record, &mut serde_json::Deserializer::from_str(text));
    value.map_err(|e| format!("this is not JSON: {e}"))?
}

/// Returns the record's value in the JSON that `reader` provides. It is read byte by byte, so the reader should be
/// buffered.
///
/// # Errors
///
/// The first thing that does not fit, in one line.
pub fn from_json_reader(record: &RecordType, reader: impl Read) -> Result<Record, String> {
    let mut reader = reader.take(MAX_TEXT);
    let value = whole(record, &mut serde_json::Deserializer::from_reader(&mut reader));
    value.map_err(|e| match (reader.limit(), e.is_io()) {
        (0, _) => format!("more than {MAX_TEXT} bytes"),
        (_, true) => e.to_string(),
        (_, false) => format!("not JSON: {e}"),
    })?
}

/// The record's value that `json` holds.
///
/// # Errors
///
/// The first thing that does not fit, in one line.
pub fn from_json(record: &RecordType, json: &Value) -> Result<Record, String> {
    Any(Fields { record, most: MAX_CELLS }).deserialize(json).map_err(|e| e.to_string())?
}

/// Reads a whole text. The outer errors are those of its syntax.
fn whole<'de, R: serde_json::de::Read<'de>>(
    record: &RecordType,
    text: &mut serde_json::Deserializer<R>,
) -> serde_json::Result<Result<Record, String>> {
    let value = Any(Fields { record, most: MAX_CELLS }).deserialize(&mut *text)?;
    text.end()?;
    Ok(value)
}

/// Takes the fields of a record, in any order.
pub struct Fields<'r> {
    /// The record.
    pub record: &'r RecordType,
    /// The maximum number of elements of a field.
    pub most: usize,
}

impl Take for Fields<'_> {
    type Out = Result<Record, String>;

    fn other(self, _: String) -> Self::Out {
        Err(format!("expected an object with the fields of {}", self.record.type_name))
    }

    fn object<'de, A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Out, A::Error> {
        let record = self.record;
        let mut found: Vec<Option<Result<Elements<'_>, String>>> = Vec::new();
        found.resize_with(record.fields.len(), || None);
        let mut extra = None;
        while let Some(name) = entries.next_key_seed(Name(record))? {
            match name {
                Ok(field) => {
                    let of = &record.fields[field];
                    let twice = found[field].is_some();
                    let mut elements = Elements::new(of, self.most);
                    let fits = match twice {
                        true => {
                            entries.next_value_seed(Any(Skip))?;
                            Err(format!("field `{}` is there twice", of.name))
                        }
                        false => entries.next_value_seed(Any(Row(&mut elements)))?,
                    };
                    found[field] = Some(fits.map(|()| elements));
                }
                Err(name) => {
                    entries.next_value_seed(Any(Skip))?;
                    extra.get_or_insert(name);
                }
            }
        }
        Ok(match extra {
            Some(name) => Err(format!("{} has no field `{name}`", record.type_name)),
            None => complete(record, found),
        })
    }
}

/// The position of a field by its name; the beginning of the name if there is none.
struct Name<'r>(&'r RecordType);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl serde::de::Visitor<'_> for Name<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.field(name).map(|field| field.0).ok_or_else(|| brief(name)))
    }
}

/// The record of the fields that were found.
fn complete(
    record: &RecordType,
    found: Vec<Option<Result<Elements<'_>, String>>>,
) -> Result<Record, String> {
    let mut value = Record { fields: Vec::with_capacity(record.fields.len()) };
    for (f, elements) in record.fields.iter().zip(found) {
        let missing = || format!("field `{}` is missing, {}", f.name, type_of(f));
        let elements = elements.ok_or_else(missing)??;
        let field_value = field_value(f, elements, &value);
        value.fields.push(field_value);
    }
    value.fits(record).map_err(|(_, why)| why)?;
    Ok(value)
}

/// Describes the JSON of a field: `a list of lists of u8`.
fn type_of(f: &Field) -> String {
    match f.lengths.len() {
        0 => format!("a {}", f.int),
        rank => format!("a list {}of {}", "of lists ".repeat(rank - 1), f.int),
    }
}

/// A field's value. `before` has the values of the fields before it.
fn field_value(f: &Field, elements: Elements<'_>, before: &Record) -> FieldValue {
    if f.is_scalar() {
        return FieldValue::Scalar(elements.cells.get(0).unwrap_or(0));
    }
    // If an array has no rows, the JSON does not show their length.
    let declared = |length: &Length| match length {
        Length::Is(e) => before.length(e).ok().and_then(|n| usize::try_from(n.max(0)).ok()),
        Length::Free => None,
    };
    let lengths = elements
        .lengths
        .into_iter()
        .zip(&f.lengths)
        .map(|(found, length)| found.or_else(|| declared(length)).unwrap_or(0))
        .collect();
    let mut cells = elements.cells;
    if let Cells::U8(bytes) = &mut cells {
        // Copies of the record share the memory of large arrays.
        bytes.settle();
    }
    FieldValue::Array(Array { lengths, cells })
}
