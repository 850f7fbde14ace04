//! Records as JSON: an object with a field each, arrays as nested lists.

use serde_json::{Map, Value as Json};

use super::store::{Array, Cells, FieldValue, Record};
use crate::program::{Field, Length, RecordType};

/// The longest text that is read as a value.
const MAX_TEXT: usize = 64 << 20;

/// The record's value that the JSON in `text` holds.
///
/// # Errors
///
/// The first thing that does not fit, in one line.
pub fn from_json_text(record: &RecordType, text: &str) -> Result<Record, String> {
    if text.len() > MAX_TEXT {
        return Err(format!("{} bytes of JSON; at most {MAX_TEXT} are read", text.len()));
    }
    let json = serde_json::from_str(text).map_err(|e| format!("this is not JSON: {e}"))?;
    from_json(record, &json)
}

/// The record's value that `json` holds.
///
/// # Errors
///
/// The first thing that does not fit, in one line.
pub fn from_json(record: &RecordType, json: &Json) -> Result<Record, String> {
    let Json::Object(map) = json else {
        return Err(format!("expected an object with the fields of {}", record.type_name));
    };
    if let Some(extra) = map.keys().find(|k| record.field(k).is_none()) {
        return Err(format!("{} has no field `{}`", record.type_name, brief(extra)));
    }
    let mut value = Record { fields: Vec::with_capacity(record.fields.len()) };
    for f in &record.fields {
        let missing = || format!("field `{}` is missing, {}", f.name, type_of(f));
        let json = map.get(&f.name).ok_or_else(missing)?;
        let field_value = field_value(f, json, &value)?;
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

/// The beginning of what may be long.
fn brief(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Describes a value in a few words.
fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(b) => b.to_string(),
        Json::Number(n) => brief(&n.to_string()),
        Json::String(s) => format!("\"{}\"", brief(s)),
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// A field's value, after those of the fields `before` it.
fn field_value(f: &Field, json: &Json, before: &Record) -> Result<FieldValue, String> {
    let (lo, hi) = f.int.range();
    let number = |json: &Json, at: &[usize]| -> Result<i128, String> {
        let n = json.as_u64().map(i128::from).or_else(|| json.as_i64().map(i128::from));
        n.filter(|n| (lo..=hi).contains(n))
            .ok_or_else(|| format!("field `{}`: {} is not a {}", path(f, at), kind(json), f.int))
    };
    if f.is_scalar() {
        return number(json, &[]).map(FieldValue::Scalar);
    }
    let rank = f.lengths.len();
    let mut lengths: Vec<Option<usize>> = vec![None; rank];
    let mut flat = Vec::new();
    flatten(f, json, &mut Vec::new(), &mut lengths, &mut |json, at| {
        flat.push(number(json, at)?);
        Ok(())
    })?;
    // No row tells how long it would be where there are none.
    let declared = |length: &Length| match length {
        Length::Is(e) => before.length(e).ok().and_then(|n| usize::try_from(n.max(0)).ok()),
        Length::Free => None,
    };
    let lengths: Vec<usize> = lengths
        .into_iter()
        .zip(&f.lengths)
        .map(|(found, length)| found.or_else(|| declared(length)).unwrap_or(0))
        .collect();
    let mut cells = Cells::zeros(f.int, flat.len());
    for (at, n) in flat.into_iter().enumerate() {
        cells.set(at, n);
    }
    Ok(FieldValue::Array(Array { lengths, cells }))
}

/// The name of a field's element: `rows[2][0]`.
fn path(f: &Field, at: &[usize]) -> String {
    at.iter().fold(f.name.clone(), |name, k| format!("{name}[{k}]"))
}

/// Takes an element with its indices.
type Leaf<'l> = dyn FnMut(&Json, &[usize]) -> Result<(), String> + 'l;

/// Calls `leaf` with each element and its indices. `at` are those of `json`, and are so again in the end.
fn flatten(
    f: &Field,
    json: &Json,
    at: &mut Vec<usize>,
    lengths: &mut [Option<usize>],
    leaf: &mut Leaf<'_>,
) -> Result<(), String> {
    let depth = at.len();
    if depth == lengths.len() {
        return leaf(json, at);
    }
    let Json::Array(items) = json else {
        return Err(format!("field `{}`: expected a list, found {}", path(f, at), kind(json)));
    };
    match lengths[depth] {
        None => lengths[depth] = Some(items.len()),
        Some(n) if n == items.len() => {}
        Some(n) => {
            let m = items.len();
            let name = path(f, at);
            return Err(format!("field `{name}`: a list of {m} beside lists of {n}"));
        }
    }
    items.iter().enumerate().try_for_each(|(k, item)| {
        at.push(k);
        flatten(f, item, at, lengths, leaf)?;
        at.pop();
        Ok(())
    })
}

/// A record's value as JSON.
pub fn to_json(record: &RecordType, value: &Record) -> Json {
    let number = |n: i128| match u64::try_from(n) {
        Ok(n) => Json::from(n),
        Err(_) => Json::from(n as i64),
    };
    let mut map = Map::new();
    for (f, field_value) in record.fields.iter().zip(&value.fields) {
        let json = match field_value {
            FieldValue::Scalar(n) => number(*n),
            FieldValue::Array(a) => {
                let flat: Vec<Json> =
                    (0..a.cells.len()).map(|k| number(a.cells.get(k).unwrap_or(0))).collect();
                nest(&a.lengths, &flat)
            }
        };
        map.insert(f.name.clone(), json);
    }
    Json::Object(map)
}

fn nest(lengths: &[usize], flat: &[Json]) -> Json {
    match lengths {
        [] | [_] => Json::Array(flat.to_vec()),
        [n, rest @ ..] => {
            let size: usize = rest.iter().product();
            let row = |k: usize| nest(rest, &flat[k * size..(k + 1) * size]);
            Json::Array((0..*n).map(row).collect())
        }
    }
}
