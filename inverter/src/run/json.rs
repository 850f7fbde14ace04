//! Records as JSON: an object with a field each, arrays as nested lists.

use serde_json::{Map, Value as Json};

use super::store::{Array, Cells, Datum, Value};
use crate::program::{Field, Record};

/// The record's value that `json` holds.
///
/// # Errors
///
/// What does not fit, in one line.
pub fn from_json(record: &Record, json: &Json) -> Result<Value, String> {
    let Json::Object(map) = json else {
        return Err(format!("expected an object with the fields of {}", record.type_name));
    };
    if let Some(extra) = map.keys().find(|k| record.field(k).is_none()) {
        return Err(format!("{} has no field `{extra}`", record.type_name));
    }
    let field = |f: &Field| {
        let value = map.get(&f.name).ok_or_else(|| format!("field `{}` is missing", f.name))?;
        datum(f, value)
    };
    Ok(Value { fields: record.fields.iter().map(field).collect::<Result<_, _>>()? })
}

fn datum(f: &Field, json: &Json) -> Result<Datum, String> {
    let (lo, hi) = f.int.range();
    let number = |json: &Json| -> Result<i128, String> {
        let n = json.as_u64().map(i128::from).or_else(|| json.as_i64().map(i128::from));
        n.filter(|n| (lo..=hi).contains(n))
            .ok_or_else(|| format!("field `{}`: {} is not a {}", f.name, short(json), f.int))
    };
    if f.is_scalar() {
        return number(json).map(Datum::Scalar);
    }
    let rank = f.lengths.len();
    let mut lengths: Vec<Option<usize>> = vec![None; rank];
    let mut flat = Vec::new();
    flatten(f, json, 0, &mut lengths, &mut |json| {
        flat.push(number(json)?);
        Ok(())
    })?;
    let lengths: Vec<usize> = lengths.into_iter().map(|l| l.unwrap_or(0)).collect();
    let mut cells = Cells::zeros(f.int, flat.len());
    for (at, n) in flat.into_iter().enumerate() {
        cells.set(at, n);
    }
    Ok(Datum::Array(Array { lengths, cells }))
}

/// A value in messages.
fn short(json: &Json) -> String {
    match json {
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        Json::String(text) if text.chars().count() > 40 => "a long text".to_owned(),
        other => other.to_string(),
    }
}

fn flatten(
    f: &Field,
    json: &Json,
    depth: usize,
    lengths: &mut [Option<usize>],
    leaf: &mut dyn FnMut(&Json) -> Result<(), String>,
) -> Result<(), String> {
    if depth == lengths.len() {
        return leaf(json);
    }
    let Json::Array(items) = json else {
        return Err(format!("field `{}`: expected a list, found {}", f.name, short(json)));
    };
    match lengths[depth] {
        None => lengths[depth] = Some(items.len()),
        Some(n) if n == items.len() => {}
        Some(n) => {
            let m = items.len();
            return Err(format!("field `{}`: lists of lengths {n} and {m} side by side", f.name));
        }
    }
    items.iter().try_for_each(|item| flatten(f, item, depth + 1, lengths, leaf))
}

/// A record's value as JSON.
pub fn to_json(record: &Record, value: &Value) -> Json {
    let number = |n: i128| match u64::try_from(n) {
        Ok(n) => Json::from(n),
        Err(_) => Json::from(n as i64),
    };
    let mut map = Map::new();
    for (f, datum) in record.fields.iter().zip(&value.fields) {
        let json = match datum {
            Datum::Scalar(n) => number(*n),
            Datum::Array(a) => {
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
