//! Structures of real files, as small programs with canonical values of up to 4,000 elements: of a hundred
//! draws of each value, 99 are made, and each normalizes to it.
//!
//! A program in `structures` has a line `//@ kind K`, as in `file_layouts`, and lines `//@ y {..}`, each a canonical value as JSON. In it an array may be
//! written as `{"cycle": [..], "length": n}`, which repeats its items, or as
//! `{"rising": [first, most], "length": n}`, whose items rise by 0 to `most`. A line `//@ pending: why` marks a
//! program that is refused, or whose draws are not made yet; the test fails as soon as they are.
//!
//! `cargo test -p repfuzz-inverter --release --test it -- structures --ignored --nocapture` prints the share
//! that is made, and the time of a draw; `STRUCTURE=name` limits it to one program.

use crate::support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use inverter::check::load;
use inverter::run::{Executable, Limits, Record, from_json, invert_value, normalize};
use inverter::solve::ChoiceSource;
use rayon::prelude::*;
use serde_json::{Value, json};

/// The number of draws of each value.
const DRAWS: u64 = 100;

/// A program of the suite, with its values.
struct Structure {
    name: String,
    inverse: Executable,
    values: Vec<Record>,
}

/// Returns true if a program is marked as one that does not work yet.
fn is_pending(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    let reasons = text.lines().filter_map(|line| line.strip_prefix("//@ pending: "));
    reasons.inspect(|why| assert!(!why.is_empty(), "{}: no reason", path.display())).count() > 0
}

/// The draws of one value.
#[derive(Default)]
struct Draws {
    made: u64,
    failed: BTreeMap<String, u64>,
    total: Duration,
    longest: Duration,
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn structure(path: &Path) -> Result<Structure, String> {
    let name = name_of(path);
    let text = std::fs::read_to_string(path).unwrap();
    let inverse = load(&name, &text).map_err(|e| format!("{name}: {e}"))?;
    let values = text.lines().filter_map(|line| line.strip_prefix("//@ y ")).map(|json| {
        let json = expanded(serde_json::from_str(json).unwrap_or_else(|e| panic!("{name}: {e}")));
        from_json(&inverse.program.output, &json).unwrap_or_else(|e| panic!("{name}: {e}"))
    });
    let values = values.collect();
    Ok(Structure { name, inverse, values })
}

/// A value with its repetitions written out.
fn expanded(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(expanded).collect(),
        Value::Object(fields) => {
            let length = || fields["length"].as_u64().unwrap() as usize;
            if let Some(Value::Array(items)) = fields.get("cycle") {
                let items: Vec<Value> = items.iter().cloned().map(expanded).collect();
                return items.iter().cycle().take(length()).cloned().collect();
            }
            if let Some(Value::Array(bounds)) = fields.get("rising") {
                let (first, most) = (bounds[0].as_i64().unwrap(), bounds[1].as_i64().unwrap());
                let step = |at: &mut i64, k| {
                    *at += k * k % (most + 1);
                    Some(json!(*at))
                };
                return (0..length() as i64).scan(first, step).collect();
            }
            fields.into_iter().map(|(name, value)| (name, expanded(value))).collect()
        }
        other => other,
    }
}

/// Draws representations of a value; each is normalized again and compared.
fn draws(of: &Structure, y: &Record) -> Draws {
    let mut out = Draws::default();
    for index in 0..DRAWS {
        let mut source = ChoiceSource::seeded(11, index);
        let began = Instant::now();
        let drawn = invert_value(&of.inverse, y, &mut source, &Limits::default());
        let time = began.elapsed();
        out.total += time;
        out.longest = out.longest.max(time);
        match drawn {
            Ok(x) => {
                let back = normalize(&of.inverse.program, &x);
                assert!(back.is_ok_and(|back| back == *y), "{}: draw {index} is wrong", of.name);
                out.made += 1;
            }
            Err(why) => {
                *out.failed.entry(why.to_string().chars().take(200).collect()).or_default() += 1;
            }
        }
    }
    out
}

/// Returns what is wrong with a program's draws.
fn lacking(path: &Path) -> Result<(), String> {
    let structure = structure(path)?;
    assert!(structure.values.len() >= 2, "{}: a small and a large value", structure.name);
    for y in &structure.values {
        let drawn = draws(&structure, y);
        if drawn.made * 100 < DRAWS * 99 {
            return Err(format!("{}: {} made, {:?}", structure.name, drawn.made, drawn.failed));
        }
    }
    Ok(())
}

#[test]
fn draws_are_made() {
    let paths = support::specs("structures");
    assert!(paths.len() >= 25, "{}", paths.len());
    let wrong = |path: &PathBuf| match (lacking(path), is_pending(path)) {
        (Ok(()), true) => Some(format!("{}: works, but is marked as pending", name_of(path))),
        (Err(why), false) => Some(why),
        _ => None,
    };
    let wrong: Vec<String> = paths.par_iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
#[ignore = "a measurement"]
fn measure() {
    let only = std::env::var("STRUCTURE").ok();
    let asked = |path: &&PathBuf| only.as_ref().is_none_or(|only| *only == name_of(path));
    for path in support::specs("structures").iter().filter(asked) {
        let structure = match structure(path) {
            Ok(structure) => structure,
            Err(why) => {
                println!("{why}");
                continue;
            }
        };
        for y in &structure.values {
            let drawn = draws(&structure, y);
            let mean = drawn.total / DRAWS as u32;
            println!(
                "{}: {} of {DRAWS} made, {mean:.2?} a draw, longest {:.2?} {:?}",
                structure.name, drawn.made, drawn.longest, drawn.failed
            );
        }
    }
}
