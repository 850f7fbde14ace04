//! Readers that show the right picture, but need far more time or memory for tiles.

use std::fs;

use serde_json::json;

use crate::fuzz::{reader, results};
use crate::{folder, repfuzz, seed};

/// The field TileWidth in either byte order, as hexadecimal digits.
const TILES: &str = "*4201030001000000*|*4201040001000000*|*0142000300000001*|*0142000400000001*";

/// Fuzzes a client that runs `deed`, in Python, on tiled files. Returns the outcomes and messages of its causes, which
/// must be that dimension.
fn causes_of(deed: &str) -> Vec<(String, String)> {
    let folder = folder();
    let script = format!("case $fields in {TILES}) python3 -c \"{deed}\";; esac");
    reader(folder.path(), "costly", &script);
    let report = folder.path().join("report");
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        "--describe",
        folder.path().join("costly.toml"),
        "--clients=costly",
        "-n30",
        "--report",
        &report,
    );
    assert_eq!(ran.stderr, "");
    let page = fs::read_to_string(report.join("index.html")).unwrap();
    let results = results(&report);
    let causes = results.get("cause").into_iter().flatten();
    let cause = |cause: &serde_json::Value| {
        let outcome = cause["outcome"].as_str().unwrap().to_owned();
        assert_eq!(cause["dimensions"], json!(["tiled"]), "{cause}");
        assert!(ran.stdout.contains(&format!("{outcome}  ")), "{}", ran.stdout);
        assert!(page.contains(&format!("class=\"badge {outcome}\"")), "{outcome}");
        // The last line of a file and a client counts.
        let is_cost = |result: &&serde_json::Value| result["outcome"] == outcome;
        let costly = results["result"].iter().filter(is_cost).count();
        assert_eq!(cause["count"], costly, "{cause}");
        (outcome, cause["message"].as_str().unwrap().to_owned())
    };
    causes.map(cause).collect()
}

#[test]
fn a_reader_that_is_slow_with_tiles() {
    if !test_support::installed("python3") {
        return;
    }
    let causes = causes_of("while __import__('time').process_time() < 1: pass");
    let [(outcome, message)] = &causes[..] else { panic!("{causes:?}") };
    assert_eq!(outcome, "slow");
    assert!(message.contains(" s of processor time; the median of files"), "{message}");
}

#[test]
fn a_reader_that_needs_memory_for_tiles() {
    if !test_support::installed("python3") {
        return;
    }
    let causes = causes_of("x = bytearray(b'x') * (900 << 20)");
    let [(outcome, message)] = &causes[..] else { panic!("{causes:?}") };
    assert_eq!(outcome, "memory");
    assert!(message.contains(" MiB of memory; the median of files"), "{message}");
}

#[test]
fn a_reader_that_needs_a_little_more_of_both() {
    if !test_support::installed("python3") {
        return;
    }
    assert_eq!(causes_of("x = bytearray(b'x') * (90 << 20)"), []);
}
