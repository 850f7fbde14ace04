//! Reading and writing agree, with each other and with a tree of the same text.

use proptest::prelude::*;
use serde::de::DeserializeSeed;
use serde_json::Value;

use super::any::Any;
use super::read::Fields;
use super::{AsJson, from_json, from_json_reader, from_json_text, to_json};
use crate::program::{RecordType, parse};
use crate::run::store::{Array, Cells, FieldValue, Record};

const RECORD: &str = "struct Y {
        n: u8, m: u8, z: i64, row: [u64; n], grid: [[i16; n]; m], cube: [[[u8; n]; n]; m], free: [u32],
    }
    struct Z { a: u8 }
    fn normalize(y: &Y, z: &mut Z) { z.a = y.n; }";

fn record() -> RecordType {
    parse("record.rs", RECORD).unwrap().input
}

const GOOD: &str = r#"{"n":2,"m":1,"z":-5,"row":[0,18446744073709551615],"grid":[[-32768,7]],"cube":[[[1,2],[3,255]]],"free":[4294967295]}"#;

/// The first thing that is wrong with `text`, by each way of reading it.
fn refused(text: &str) -> String {
    let record = record();
    let why = from_json_text(&record, text).expect_err(text);
    let read = from_json_reader(&record, text.as_bytes()).expect_err(text);
    assert_eq!(read, why.strip_prefix("this is ").unwrap_or(&why), "{text}");
    why
}

#[test]
fn what_is_read_is_written() {
    let record = record();
    let value = from_json_text(&record, GOOD).unwrap();
    assert_eq!(serde_json::to_string(&AsJson { record: &record, value: &value }).unwrap(), GOOD);
    assert_eq!(to_json(&record, &value), serde_json::from_str::<Value>(GOOD).unwrap());
}

#[test]
fn fields_may_have_any_order() {
    let record = record();
    let Value::Object(map) = serde_json::from_str(GOOD).unwrap() else { panic!() };
    let reversed = Value::Object(map.into_iter().rev().collect()).to_string();
    assert!(reversed.starts_with("{\"free\""));
    assert_eq!(from_json_text(&record, &reversed), from_json_text(&record, GOOD));
}

#[test]
fn lengths_without_rows_are_the_declared_ones() {
    let text = r#"{"cube":[],"grid":[],"n":2,"m":0,"z":0,"row":[1,2],"free":[]}"#;
    let value = from_json_text(&record(), text).unwrap();
    let lengths = |field: usize| match &value.fields[field] {
        FieldValue::Array(array) => array.lengths.clone(),
        FieldValue::Scalar(_) => panic!(),
    };
    assert_eq!(
        [lengths(3), lengths(4), lengths(5), lengths(6)],
        [vec![2], vec![0, 2], vec![0, 2, 2], vec![0]]
    );
}

#[test]
fn the_first_fault_in_the_order_of_the_record_is_told() {
    let cases = [
        // The text, then the record, then its fields in its order.
        (
            r#"{"extra":1,"n":256"#,
            "this is not JSON: EOF while parsing an object at line 1 column 18",
        ),
        ("{\"n\":1,\n \"n\":,", "this is not JSON: expected value at line 2 column 6"),
        (r#"{"n":1} 2"#, "this is not JSON: trailing characters at line 1 column 9"),
        (r#"{"n":256,"b":1,"a":2}"#, "Y has no field `b`"),
        (r#"{"z":0.5,"m":"x","n":[[],{"a":[1]}]}"#, "field `n`: a list of 2 is not a u8"),
        (r#"{"z":0.5,"n":1}"#, "field `m` is missing, a u8"),
        (r#"{"z":1,"m":1,"n":1,"row":[]}"#, "field `grid` is missing, a list of lists of i16"),
        (r#"{"n":1,"m":1,"z":1,"row":1}"#, "field `row`: expected a list, found 1"),
        (r#"{"n":1,"m":1,"z":1,"row":[{"a":1},[]]}"#, "field `row[0]`: an object is not a u64"),
        (r#"{"n":1,"m":1,"z":1,"row":[1,-1]}"#, "field `row[1]`: -1 is not a u64"),
        (r#"{"n":1,"m":1,"z":1,"row":[1.0]}"#, "field `row[0]`: 1.0 is not a u64"),
        (
            r#"{"n":1,"m":1,"z":1,"row":[],"grid":[[1],[99999,1]]}"#,
            "field `grid[1]`: a list of 2 beside lists of 1",
        ),
        (
            r#"{"n":1,"m":1,"z":1,"row":[],"grid":[[1],[99999]]}"#,
            "field `grid[1][0]`: 99999 is not a i16",
        ),
        (
            r#"{"n":1,"m":1,"z":1,"row":[],"grid":[[1],2]}"#,
            "field `grid[1]`: expected a list, found 2",
        ),
        (r#"{"n":1,"n":1}"#, "field `n` is there twice"),
        ("true", "expected an object with the fields of Y"),
        ("[[1],{}]", "expected an object with the fields of Y"),
    ];
    for (text, why) in cases {
        assert_eq!(refused(text), why, "{text}");
    }
}

#[test]
fn a_field_has_a_limit_of_elements() {
    let record = record();
    for (most, fits) in [(3, false), (4, true)] {
        let json = serde_json::from_str::<Value>(GOOD).unwrap();
        let value = Any(Fields { record: &record, most }).deserialize(&json).unwrap();
        let why = "field `cube`: more than 3 elements".to_owned();
        assert_eq!(value.map(|_| ()), if fits { Ok(()) } else { Err(why) });
    }
}

proptest! {
    #[test]
    fn every_value_comes_back(
        (n, m) in (0..4usize, 0..4usize), z: i64, rows: [u64; 4], cells: [i16; 12], free: Vec<u32>,
        bytes: [u8; 36],
    ) {
        let record = record();
        let array = |lengths, cells| FieldValue::Array(Array { lengths, cells });
        let value = Record { fields: vec![
            FieldValue::Scalar(n as i128),
            FieldValue::Scalar(m as i128),
            FieldValue::Scalar(z.into()),
            array(vec![n], Cells::U64(rows[..n].to_vec())),
            array(vec![m, n], Cells::I16(cells[..n * m].to_vec())),
            array(vec![m, n, n], Cells::U8(bytes[..n * n * m].to_vec().into())),
            array(vec![free.len()], Cells::U32(free)),
        ] };
        let text = serde_json::to_string(&AsJson { record: &record, value: &value }).unwrap();
        let json = to_json(&record, &value);
        prop_assert_eq!(&json.to_string(), &text);
        prop_assert_eq!(from_json(&record, &json), Ok(value.clone()));
        prop_assert_eq!(from_json_text(&record, &text), Ok(value.clone()));
        prop_assert_eq!(from_json_reader(&record, text.as_bytes()), Ok(value));
    }
}
