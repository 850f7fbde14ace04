//! Builds and reads the records that the stages exchange.

use inverter::program::{Field, RecordType};
use inverter::run::{Array, Bytes, Cells, FieldValue, Record, Slot, Store};

use crate::picture::Picture;

/// Builds a record, field by field.
///
/// # Errors
///
/// Returns an error if `field` returns no value for a field.
pub fn record(
    record: &RecordType,
    mut field: impl FnMut(&str) -> Option<FieldValue>,
) -> Result<Record, String> {
    let field_value = |f: &Field| {
        field(&f.name).ok_or_else(|| format!("{} has no value for {}", record.type_name, f.name))
    };
    Ok(Record { fields: record.fields.iter().map(field_value).collect::<Result<_, _>>()? })
}

/// Converts the record of one stage to that of the next one: fields with the same name keep their values, `more`
/// returns those of the others, and may override any.
///
/// # Errors
///
/// Returns an error if a field gets no value.
pub fn convert(
    value: Record,
    from: &RecordType,
    to: &RecordType,
    more: impl Fn(&str) -> Option<FieldValue>,
) -> Result<Record, String> {
    let mut fields: Vec<Option<FieldValue>> = value.fields.into_iter().map(Some).collect();
    record(to, |name| {
        let given = more(name);
        given.or_else(|| from.field(name).and_then(|k| fields.get_mut(k.0)?.take()))
    })
}

/// Returns the value of a scalar field.
pub fn number(n: impl Into<i128>) -> Option<FieldValue> {
    Some(FieldValue::Scalar(n.into()))
}

/// Returns an array of bytes.
pub fn bytes(lengths: Vec<usize>, cells: impl Into<Bytes>) -> Option<FieldValue> {
    Some(FieldValue::Array(Array { lengths, cells: Cells::U8(cells.into()) }))
}

/// Returns an array of 16-bit integers.
pub fn shorts(lengths: Vec<usize>, cells: Vec<u16>) -> Option<FieldValue> {
    Some(FieldValue::Array(Array { lengths, cells: Cells::U16(cells) }))
}

/// Returns an array of 64-bit integers.
pub fn longs(cells: Vec<u64>) -> Option<FieldValue> {
    Some(FieldValue::Array(Array { lengths: vec![cells.len()], cells: Cells::U64(cells) }))
}

/// Returns a scalar of a record; 0 if it has none with this name.
pub fn scalar(value: &Record, record: &RecordType, name: &str) -> u64 {
    value.scalar(record, name).and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

/// Returns the cells of a byte array in memory; empty if the record has no such array.
pub fn byte_cells<'v>(value: &'v Record, record: &RecordType, name: &str) -> &'v [u8] {
    array_bytes(value, record, name).map_or(&[], |bytes| bytes)
}

/// Returns a byte array.
pub fn array_bytes<'v>(value: &'v Record, record: &RecordType, name: &str) -> Option<&'v Bytes> {
    match value.array(record, name).map(|a| &a.cells) {
        Some(Cells::U8(cells)) => Some(cells),
        _ => None,
    }
}

/// Returns the cells of an array of 16-bit integers; empty if the record has no such array.
pub fn short_cells<'v>(value: &'v Record, record: &RecordType, name: &str) -> &'v [u16] {
    match value.array(record, name).map(|a| &a.cells) {
        Some(Cells::U16(cells)) => cells,
        _ => &[],
    }
}

/// Returns the cells of such an array in a store.
pub fn stored_shorts<'v>(store: &'v Store, record: &RecordType, name: &str) -> &'v [u16] {
    match record.field(name).and_then(|field| store.slots.get(field.0)) {
        Some(Slot::Array(Array { cells: Cells::U16(cells), .. }, _)) => cells,
        _ => &[],
    }
}

/// Takes the cells of a byte array, without a copy; empty if the record has no such array.
pub fn take_bytes(value: Record, record: &RecordType, name: &str) -> Bytes {
    match record.field(name).and_then(|field| value.fields.into_iter().nth(field.0)) {
        Some(FieldValue::Array(Array { cells: Cells::U8(cells), .. })) => cells,
        _ => Bytes::default(),
    }
}

/// Returns the cells of an array of 64-bit integers; empty if the record has no such array.
pub fn long_cells<'v>(value: &'v Record, record: &RecordType, name: &str) -> &'v [u64] {
    match value.array(record, name).map(|a| &a.cells) {
        Some(Cells::U64(cells)) => cells,
        _ => &[],
    }
}

/// Converts a picture to the canonical value: the output record of the orientation stage.
///
/// # Errors
///
/// Returns an error if the record has a field that a picture does not have.
pub fn display(picture: &Picture) -> Result<Record, String> {
    let lengths = vec![picture.height() as usize, picture.width() as usize, 4];
    record(&normalizers::tiff::ORIENTATION.inverse().program().output, |name| match name {
        "width" => number(picture.width()),
        "height" => number(picture.height()),
        "rgba" => shorts(lengths.clone(), picture.rgba().to_vec()),
        _ => None,
    })
}

/// Converts the canonical value to a picture.
pub fn picture(display: &Store) -> Picture {
    let record = &normalizers::tiff::ORIENTATION.inverse().program().output;
    let side = |name| record.field(name).and_then(|field| display.scalar(field)).unwrap_or(0);
    let rgba = stored_shorts(display, record, "rgba").to_vec();
    Picture::new(side("width") as u32, side("height") as u32, rgba)
}

/// Returns the maximum width or length of a tile in a picture that is `side` pixels wide or long.
pub fn max_tile_side(side: u64) -> i128 {
    i128::from(side.next_multiple_of(16) + 16)
}
