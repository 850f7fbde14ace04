//! Specs that a user may write with the primitives that belong to no format: walks over chunks, integers of
//! variable length, run lengths. Every draw is made, and is read back.
//!
//! The folder `walks` holds a spec a file. A line that starts with `//@ y ` is a canonical value.

use std::collections::BTreeSet;
use std::path::Path;

use inverter::program::SpecText;
use inverter::run::{Limits, from_json};
use inverter::solve::ChoiceSource;
use normalizers::{PRIMITIVES, from_text};
use serde_json::{Value, json};

/// The draws of each value.
const DRAWS: u64 = 200;

/// Draws files of each value, each of which means that value; returns the different ones of the last value, and
/// the dimensions in which they vary.
fn drawn(name: &str, text: &str, values: Vec<Value>) -> (BTreeSet<Vec<u8>>, BTreeSet<String>) {
    let pipeline = from_text(&SpecText::alone("walk.rs", text)).unwrap_or_else(|e| panic!("{e}"));
    let (mut files, mut dimensions) = (BTreeSet::new(), BTreeSet::new());
    let limits = Limits::default();
    for value in values {
        files.clear();
        let last = pipeline.stages().last().unwrap().inverse();
        let y = from_json(&last.program.output, &value).unwrap();
        for index in 0..DRAWS {
            let mut source = ChoiceSource::seeded(5, index);
            let x = pipeline.invert(&y, &mut source, &limits);
            let file = pipeline.file(x.unwrap_or_else(|e| panic!("{name}: {e}"))).unwrap();
            let again = pipeline.open(file.clone()).and_then(|x| pipeline.normalize(&x));
            assert_eq!(again.unwrap_or_else(|e| panic!("{name}: {e}")), y, "{name}: {index}");
            files.insert(file);
            dimensions.extend(source.into_recorded().iter().map(|(d, _)| d.to_owned()));
        }
    }
    (files, dimensions)
}

/// Asserts that a spec's files vary in these dimensions among others.
#[track_caller]
fn vary(name: &str, least: usize, expected: &[&str]) -> BTreeSet<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/walks/{name}.rs"));
    let text = std::fs::read_to_string(path).unwrap();
    let values = text.lines().filter_map(|line| line.strip_prefix("//@ y "));
    let values = values.map(|json| serde_json::from_str(json).unwrap()).collect();
    let (files, dimensions) = drawn(name, &text, values);
    assert!(files.len() >= least, "{}", files.len());
    for dimension in expected {
        assert!(dimensions.iter().any(|d| d.ends_with(dimension)), "{dimension}: {dimensions:?}");
    }
    files
}

/// Returns the place of a text in a file.
fn find(file: &[u8], text: &[u8]) -> Option<usize> {
    file.windows(text.len()).position(|w| w == text)
}

#[test]
fn chunks_of_riff_lie_among_others() {
    let files = vary("wave", 80, &["form other chunks", "form chunk padding"]);
    assert!(
        files
            .iter()
            .all(|f| f.len() == 8 + u32::from_le_bytes(f[4..8].try_into().unwrap()) as usize)
    );
    assert!(files.iter().any(|f| find(f, b"JUNK").is_some()));
}

#[test]
fn chunks_of_iff_are_in_any_order() {
    let files = vary("aiff", 80, &["form chunk order", "form other chunks"]);
    let places: BTreeSet<[bool; 2]> = files
        .iter()
        .map(|f| [b"MARK", b"SSND"].map(|name| find(f, b"COMM") < find(f, name)))
        .collect();
    assert_eq!(places.len(), 4);
}

#[test]
fn chunks_with_checksums_are_cut() {
    let files = vary("png", 150, &["file other chunks", "file pieces", "zlib blocks"]);
    let data = |f: &&Vec<u8>| f.windows(4).filter(|w| w == b"IDAT").count();
    assert!(files.iter().any(|f| data(&f) == 1) && files.iter().any(|f| data(&f) > 1));
}

#[test]
fn boxes_have_any_form_of_length() {
    let files = vary("boxes", 60, &["file chunk order", "file box lengths"]);
    let starts = |name: &[u8; 4], size: &[u8; 4]| {
        files.iter().any(|f| find(f, &[&size[..], name].concat()).is_some())
    };
    assert!(
        starts(b"mdat", &[0, 0, 0, 14])
            && starts(b"mdat", &[0; 4])
            && starts(b"moov", &[0, 0, 0, 1])
    );
}

#[test]
fn integers_have_redundant_bytes() {
    let files = vary("postings", 10, &["file redundant bytes"]);
    assert!(files.contains(&vec![3, 0xa9, 2, 1, 0xc3, 0xa0, 4]));
}

#[test]
fn runs_end_anywhere() {
    vary("mask", 12, &["file runs"]);
}

#[test]
fn the_example_of_the_reference_is_a_format() {
    let (_, walk) = PRIMITIVES.split_once("```text,walk\n").unwrap();
    let (walk, _) = walk.split_once("\n```").unwrap();
    let y = json!({ "n": 3, "rate": [64, 14, 172, 68, 0, 0, 0, 0, 0, 0], "samples": [1, 2, 3] });
    let (files, _) = drawn("the example", walk, vec![y]);
    assert!(files.len() >= 80, "{}", files.len());
}
