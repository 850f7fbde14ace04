//! `replay`: the same bytes again, edited choices, and choices that do not fit.

use std::fs;

use serde_json::{Value, json};
use tiff_harness::Seed;

use crate::{Ran, folder, repfuzz, seed};

/// Replays a text as choices of `rgb.tif`; returns the file, if one was made.
fn replay(choices: impl AsRef<[u8]>) -> (Ran, Option<Vec<u8>>) {
    let folder = folder();
    let (given, out) = (folder.path().join("choices.json"), folder.path().join("out.tif"));
    fs::write(&given, choices).unwrap();
    let ran = repfuzz!("replay", seed("rgb.tif"), "--choices", &given, "-o", &out);
    (ran, fs::read(out).ok())
}

fn refused(choices: impl AsRef<[u8]>) -> String {
    let (ran, made) = replay(choices);
    assert_eq!(made, None);
    let error = ran.error();
    let why = error.split_once("choices.json: ").expect(error).1;
    why.to_owned()
}

#[test]
fn every_line_of_variants_comes_out_byte_for_byte() {
    let folder = folder();
    repfuzz!("variants", seed("rgb.tif"), "-n", "12", "-o", folder.path()).fine();
    let list = fs::read_to_string(folder.path().join("variants.jsonl")).unwrap();
    for line in list.lines() {
        let parsed: Value = serde_json::from_str(line).unwrap();
        let name = parsed["file"].as_str().unwrap();
        let there = fs::read(folder.path().join(name)).unwrap();
        // The whole line, or only its choices.
        for choices in [line.to_owned(), parsed["choices"].to_string()] {
            let (ran, made) = replay(choices);
            assert_eq!(ran.fine(), "");
            assert!(made.as_ref() == Some(&there), "{line}");
        }
    }
}

#[test]
fn no_choices_are_the_seed() {
    assert!(replay("{}").1 == Some(fs::read(seed("rgb.tif")).unwrap()));
}

#[test]
fn choices_can_be_edited_by_hand() {
    // Rotated by 90°, the picture has 61 rows.
    let edits = json!({"orientation": 5, "rows_per_strip": 20, "segment order": [2, 0, 3, 1]});
    let (ran, made) = replay(edits.to_string());
    assert_eq!(ran.fine(), "");
    let made = Seed::open(made.unwrap()).unwrap();
    for (dimension, value) in edits.as_object().unwrap() {
        // The picture of the file itself.
        assert_eq!(json!(made.own_choices().get(dimension).unwrap()), *value, "{dimension}");
    }
    let seed = Seed::open(fs::read(seed("rgb.tif")).unwrap()).unwrap();
    assert_eq!(made.picture(), seed.picture());
}

#[test]
fn choices_that_do_not_fit_are_refused_with_the_constraint() {
    assert!(refused(r#"{"orientation": 9}"#).contains("`orientation` = 9"));
    assert!(refused(r#"{"orientation": 9}"#).contains("x.orientation <= 8"));
    assert!(refused(r#"{"choices": {"orientation": 0}}"#).contains("x.orientation >= 1"));
    let none = refused(r#"{"rows_per_strip": 0, "tiled": 0}"#);
    assert!(none.contains("does not hold: x.tiled = 1 or x.rows_per_strip >= 1"), "{none}");
    let wide = refused(r#"{"tile_width": 20}"#);
    assert!(wide.contains("this does not hold: x.tile_width % 16 = 0"), "{wide}");
    let order = refused(r#"{"segment order": [0, 1, 2, 2, 4, 5]}"#);
    assert!(order.contains("it must have each of 0 to 5 once"), "{order}");
    // An order of six strips, as in the seed, but there are three.
    let order = refused(r#"{"rows_per_strip": 20, "segment order": [5, 4, 3, 2, 1, 0]}"#);
    assert!(order.contains("it must have each of 0 to 2 once"), "{order}");
    let gaps = refused(r#"{"segment gaps": [0, 0, 0, 0, 0, 99999999999]}"#);
    assert!(gaps.contains("leave no room"), "{gaps}");
    assert!(refused(r#"{"byte order": "XX"}"#).contains("one of II, MM"));
    let fill = refused(r#"{"file fill": "random:-1"}"#);
    assert!(fill.contains("zeros, ones, copies or random:NUMBER"), "{fill}");
    let unknown = refused(r#"{"no such thing": 1}"#);
    assert_eq!(unknown, "there is no choice `no such thing` to be made in this file");
}

#[test]
fn what_are_no_choices_is_refused() {
    assert!(refused("").contains("EOF"));
    assert!(refused("{\"orientation\": ").contains("EOF"));
    assert!(refused("[1]").contains("expected a map"));
    assert!(refused(r#"{"orientation": null}"#).contains("null is no choice"));
    assert!(refused(r#"{"orientation": 1.5}"#).contains("1.5 is no choice"));
    assert!(refused("{}\n{}\n").contains("trailing characters"));
    assert!(refused("[".repeat(100_000)).contains("recursion limit"));
    assert!(refused([0xFF, 0xFE]).contains("UTF-8"));
    for missing in ["/nowhere/choices.json", "/"] {
        let ran = repfuzz!("replay", seed("rgb.tif"), "--choices", missing, "-o", "x.tif");
        assert!(ran.error().starts_with(missing), "{}", ran.stderr);
    }
}
