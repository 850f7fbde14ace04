//! `sample` and `apply`, and the pipelines that they and `invert` take.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{file, folder, repfuzz};

const ADDED: &str = "
    struct Bytes { n: u8, data: [u8; n] }
    struct Sum { n: u8, sum: [u16; n] }
    fn normalize(x: &Bytes, y: &mut Sum) {
        y.n = x.n;
        for i in 0..x.n {
            y.sum[i] = x.data[i] + 1;
        }
    }
";

fn write(folder: &TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

fn compressed() -> PathBuf {
    file("inverter/tests/programs/compressed.rs")
}

/// A pipeline of two stages in this folder.
fn pipeline(folder: &TempDir) -> PathBuf {
    write(folder, "compressed.rs", fs::read(compressed()).unwrap());
    write(folder, "added.rs", ADDED);
    write(folder, "two.toml", "stages = ['compressed.rs', 'added.rs']")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_is_sampled_applies_to_the_value_again() {
    let folder = folder();
    let y = write(&folder, "y.json", r#"{"n": 5, "data": [1, 1, 1, 2, 3]}"#);
    let ran = repfuzz!("sample", compressed(), "--input", &y, "-n", "20");
    let samples = lines(ran.fine());
    assert_eq!(samples.len(), 20);
    for x in samples.iter().take(4) {
        let x = write(&folder, "x.json", x.to_string());
        let back = repfuzz!("apply", compressed(), "--input", x);
        assert_eq!(lines(back.fine()), [json!({"n": 5, "data": [1, 1, 1, 2, 3]})]);
    }
    let again = repfuzz!("sample", compressed(), "--input", &y, "-n", "20", "--seed", "1");
    assert_eq!(ran.stdout, again.stdout);
    let other = repfuzz!("sample", compressed(), "--input", &y, "-n", "20", "--seed", "2");
    assert_ne!(ran.stdout, other.fine());
}

#[test]
fn choices_are_shown_with_what_they_make() {
    let folder = folder();
    let y = write(&folder, "y.json", r#"{"n": 3, "sum": [9, 9, 10]}"#);
    let two = pipeline(&folder);
    let ran = repfuzz!("sample", &two, "-i", &y, "-n", "400", "--choices");
    let samples = lines(ran.fine());
    let mut dimensions = std::collections::BTreeSet::new();
    for line in &samples {
        assert_eq!(line["x"]["byte_count"], line["x"]["stream"].as_array().unwrap().len());
        assert_eq!(line["x"]["compression"], line["choices"]["compressed: compression"]);
        dimensions.extend(line["choices"].as_object().unwrap().keys().cloned());
    }
    let listed = repfuzz!("invert", &two, "--emit", "dimensions");
    let listed: Vec<&str> = listed.fine().lines().collect();
    assert!(dimensions.iter().all(|d| listed.contains(&d.as_str())), "{dimensions:?} {listed:?}");
    assert!(dimensions.contains("compressed: stream runs"), "{dimensions:?}");
}

#[test]
fn pipelines_are_inverted_stage_by_stage() {
    let folder = folder();
    let two = pipeline(&folder);
    for emit in ["inverse", "ensures", "dimensions"] {
        let ran = repfuzz!("invert", &two, "--emit", emit);
        insta::assert_snapshot!(format!("pipeline_{emit}"), ran.fine());
    }
}

#[test]
fn specs_of_a_pipeline_are_shown_where_they_are_wrong() {
    let folder = folder();
    let two = pipeline(&folder);
    write(&folder, "added.rs", ADDED.replace("x.data[i] + 1", "x.nosuch"));
    let ran = repfuzz!("apply", &two, "-i", "/dev/null");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("`Bytes` has no field `nosuch`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("added.rs:7:"), "{}", ran.stderr);
}

/// The one-line error for an invalid record.
fn error(command: &str, spec: &str, json: impl AsRef<[u8]>) -> String {
    error_within("5", command, spec, json)
}

/// Like [`error`], with another time limit, in seconds.
fn error_within(seconds: &str, command: &str, spec: &str, json: impl AsRef<[u8]>) -> String {
    let folder = folder();
    let two = pipeline(&folder);
    let spec = if spec.is_empty() { two } else { write(&folder, "spec.rs", spec) };
    let record = write(&folder, "record.json", json);
    let ran = repfuzz!(command, spec, "--input", &record, "--time", seconds);
    ran.error().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn records_of_the_wrong_shape_are_one_line() {
    let deep = "[".repeat(100_000);
    let long = format!(r#"{{"n": {:?}, "sum": []}}"#, vec![0; 10_000]);
    for (json, why) in [
        ("", "not JSON: EOF"),
        ("\u{0}", "not JSON: expected value"),
        (deep.as_str(), "not JSON: recursion limit"),
        ("[]", "expected an object with the fields of Sum"),
        ("{}", "field `n` is missing, a u8"),
        (r#"{"n": 1}"#, "field `sum` is missing, a list of u16"),
        (r#"{"n": 1, "sum": [1], "m": 1}"#, "Sum has no field `m`"),
        (r#"{"n": 256, "sum": []}"#, "field `n`: 256 is not a u8"),
        (r#"{"n": -1, "sum": []}"#, "field `n`: -1 is not a u8"),
        (r#"{"n": 1, "sum": 3}"#, "field `sum`: expected a list, found 3"),
        (r#"{"n": 1, "sum": [[3]]}"#, "field `sum[0]`: a list of 1 is not a u16"),
        (r#"{"n": 2, "sum": [3]}"#, "field `sum`: the length is 1, not 2"),
        (long.as_str(), "field `n`: a list of 10000 is not a u8"),
    ] {
        let said = error("sample", "", json);
        assert!(said.starts_with(&format!("record.json: {why}")), "{said}");
        assert!(said.len() < 200, "{said}");
    }
    assert!(error("sample", "", [0xFF]).starts_with("record.json: not JSON"));
    for command in ["sample", "apply"] {
        let spec = compressed();
        let zeros = repfuzz!(command, &spec, "--input", "/dev/zero");
        assert_eq!(zeros.error(), "/dev/zero: not JSON: expected value at line 1 column 1");
        assert!(repfuzz!(command, &spec, "--input", "/nowhere").error().starts_with("/nowhere: "));
        assert!(repfuzz!(command, "/nowhere", "--input", "/").error().starts_with("/nowhere: "));
        assert!(
            repfuzz!(command, "/dev/zero", "--input", "/").error().contains("a pipe or a device")
        );
    }
}

#[test]
fn what_is_no_representation_is_said_with_its_line() {
    let x = r#"{"n": 3, "compression": 5, "fill_order": 1, "byte_count": 2, "stream": [2, 9]}"#;
    let said = error("apply", "", x);
    let why = "record.json: stage `compressed`: packbits: the stream ends inside the run that \
               byte 0 starts (line 22: y.data = packbits(x.stream);)";
    assert_eq!(said, why);
    let none = error("sample", "", r#"{"n": 1, "sum": [0]}"#);
    assert!(none.starts_with("0 of 1 made; sample 0: stage `added`: "), "{none}");
}

#[test]
fn specs_that_want_too_much_are_stopped() {
    let square = "
        struct X { n: u32 } struct Y { n: u32 }
        fn normalize(x: &X, y: &mut Y) {
            y.n = x.n;
            for i in 0..x.n { for j in 0..x.n { assume(x.n + i * j > 0); } }
        }";
    let large = "
        struct X { n: u32 } struct Y { n: u32, wide: [u64; n] }
        fn normalize(x: &X, y: &mut Y) {
            y.n = x.n;
            for i in 0..x.n { y.wide[i] = i; }
        }";
    let much = r#"{"n": 4294967295}"#;
    for command in ["sample", "apply"] {
        // A busy machine takes a while for as many steps as are allowed.
        let said = error_within("300", command, square, much);
        assert!(said.contains("the loops here take more steps than data of this size"), "{said}");
    }
    let said = error("apply", large, much);
    let ends = ["wide is too large", "GiB of memory", "--time sets another limit"];
    assert!(ends.iter().any(|end| said.contains(end)), "{said}");
    for wrong in ["", "-1", "nan", "1e9"] {
        let time = format!("--time={wrong}");
        assert_eq!(repfuzz!("apply", compressed(), "-i", "/", time).code, 2);
    }
}
