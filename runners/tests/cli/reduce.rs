//! `reduce`: reduces given choices on a small picture; and choices without a difference.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::fuzz::describe;
use crate::{Ran, folder, repfuzz, seed};

/// Reduces `choices` of `rgb.tif` for a client that runs `deed` on big-endian files; the results
/// go to `out` in `folder`.
fn reduce(folder: &Path, deed: &str, choices: &Value) -> Ran {
    describe(folder, "bad", deed, "");
    let given = folder.join("choices.json");
    fs::write(&given, choices.to_string()).unwrap();
    repfuzz!(
        "reduce",
        seed("rgb.tif"),
        "--choices",
        given,
        "--describe",
        folder.join("bad.toml"),
        "--client=bad",
        "-o",
        folder.join("out"),
    )
}

#[test]
fn what_it_takes_is_left_on_a_small_picture() {
    let folder = folder();
    let given = json!({"byte order": "MM", "rows_per_strip": 20, "compression": "PackBits"});
    let other = format!("set -- '{}' \"$2\"", seed("gray.tif").display());
    let ran = reduce(folder.path(), &other, &given);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    assert_eq!(lines[0], "bad: wrong pixels: another size, byte order = MM");
    let read = |name: &str| {
        let path = folder.path().join("out").join(name);
        assert!(lines[1].contains(path.to_str().unwrap()), "{}", lines[1]);
        fs::read(path).unwrap()
    };
    let choices = read("01-bad-wrong.json");
    assert_eq!(serde_json::from_slice::<Value>(&choices).unwrap(), json!({"byte order": "MM"}));
    let (small, file) = (read("01-bad-wrong.seed.tif"), read("01-bad-wrong.tif"));
    assert!(small.len().max(file.len()) < 450, "{} and {} bytes", small.len(), file.len());
    // They belong together.
    let (out, again) = (folder.path().join("out"), folder.path().join("again.tif"));
    let at = |name: &str| out.join(format!("01-bad-wrong.{name}"));
    repfuzz!("replay", at("seed.tif"), "--choices", at("json"), "-o", &again).fine();
    assert!(fs::read(again).unwrap() == file);
    repfuzz!("equal", at("seed.tif"), at("tif")).fine();
}

#[test]
fn without_a_difference_there_is_nothing_to_reduce() {
    let folder = folder();
    let ran = reduce(folder.path(), "exit 1", &json!({"rows_per_strip": 20}));
    assert!(ran.fine().starts_with("No difference: "), "{}", ran.stdout);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn what_cannot_be_reduced_is_reported() {
    let folder = folder();
    let ran = reduce(folder.path(), ":", &json!({"orientation": 9}));
    assert!(ran.error().contains("choices.json: choice `orientation` = 9"), "{}", ran.stderr);
    let ran =
        reduce(folder.path(), "exit 1;; II) test $(wc -c < \"$1\") -gt 2000 && exit 3", &json!({}));
    assert!(ran.error().starts_with("bad: cannot read the seed"), "{}", ran.stderr);
    let given = folder.path().join("choices.json");
    let ran = repfuzz!("reduce", seed("rgb.tif"), "--choices", given, "--client=nobody");
    assert_eq!(ran.error(), "no client is called \"nobody\"");
}
