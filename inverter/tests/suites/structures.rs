//! Structures of real files, as small programs with canonical values of up to 4,000 elements: of a hundred
//! draws of each value, 99 are made, and each normalizes to it.
//!
//! A program in `structures` has a line `//@ kind K`, as in `file_layouts`, and lines `//@ y {..}`, each a canonical value
//! as JSON. In it an array may be written as `{"cycle": [..], "length": n}`, which repeats its items, or as
//! `{"rising": [first, most], "length": n}`, whose items rise by 0 to `most`. A line `//@ pending: why` marks a
//! program that is refused, or whose draws are not made yet; its case, a slow one, fails as soon as they are.
//!
//! `cargo test -p repfuzz-inverter --release --test specs -- structures --ignored --nocapture` prints the share
//! that is made, and the time of a draw.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use inverter::check::load;
use inverter::run::{Executable, Limits, Record, from_json, invert_value, normalize};
use inverter::solve::ChoiceSource;
use serde_json::{Value, json};
use test_support::suite::{Suites, note};

use crate::draws::Draws;
use crate::{read, specs};

/// The draws for every change: a fault that is in one of ten representations shows.
const DRAWS: Draws = Draws { few: 40, many: 5 };
/// The draws of the slow cases.
const ALL_DRAWS: Draws = Draws { few: 100, many: 100 };

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    let specs = specs("structures");
    // A few draws of a pending program may all be made.
    let working = specs.iter().filter(|path| !is_pending(&read(path).1)).cloned();
    suites.files("structures", &working.collect::<Vec<_>>(), |path| check(path, DRAWS));
    suites.full("structures", &specs, |path| check(path, ALL_DRAWS));
    suites.case("structures::are_many", || {
        let count = crate::specs("structures").len();
        assert!(count >= 25, "{count}");
    });
}

/// A program of the suite, with its values.
struct Structure {
    name: String,
    inverse: Executable,
    values: Vec<Record>,
}

/// Returns true if a program is marked as one that does not work yet.
fn is_pending(text: &str) -> bool {
    let reasons = text.lines().filter_map(|line| line.strip_prefix("//@ pending: "));
    reasons.inspect(|why| assert!(!why.is_empty(), "no reason")).count() > 0
}

/// The draws of one value.
#[derive(Default)]
struct Drawn {
    made: u64,
    failed: BTreeMap<String, u64>,
    total: Duration,
    longest: Duration,
}

fn structure(name: String, text: &str) -> Result<Structure, String> {
    let inverse = load(&name, text).map_err(|e| format!("{name}: {e}"))?;
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
fn draws(of: &Structure, y: &Record, draws: u64) -> Drawn {
    let mut out = Drawn::default();
    for index in 0..draws {
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
fn lacking(name: String, text: &str, count: Draws) -> Result<(), String> {
    let structure = structure(name, text)?;
    assert!(structure.values.len() >= 2, "{}: a small and a large value", structure.name);
    for y in &structure.values {
        let count = count.of(y);
        let drawn = draws(&structure, y, count);
        let mean = drawn.total / count as u32;
        note(format_args!(
            "{} of {count} made, {mean:.2?} a draw, longest {:.2?} {:?}",
            drawn.made, drawn.longest, drawn.failed
        ));
        if drawn.made * 100 < count * 99 {
            return Err(format!("{}: {} made, {:?}", structure.name, drawn.made, drawn.failed));
        }
    }
    Ok(())
}

fn check(path: &Path, draws: Draws) {
    let (name, text) = read(path);
    match (lacking(name, &text, draws), is_pending(&text)) {
        (Ok(()), true) => panic!("it works, but is marked as pending"),
        (Err(why), false) => panic!("{why}"),
        _ => {}
    }
}
