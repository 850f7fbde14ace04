//! Programs whose places are stored in the bytes that they read: offset tables, directories,
//! trailers. Nearly every draw of a representation must succeed, and each is read back.
//!
//! The folder `file_layouts` holds a program a file. Lines that start with `//@ ` are its values:
//!
//! | line | meaning |
//! |---|---|
//! | `y {..}` | a canonical value, see below; one or more |
//! | `share N` | at least that many of 100 draws are made, for a reason that follows; 99 if absent |
//! | `loss: reason` | the inverse reports a loss |
//! | `kind K` | the kind of structure, of [`KINDS`] or another |
//!
//! A value is a record as JSON. An array may be a text instead: `"2..9"` for random elements within
//! these bounds, `"2..9 up to len"` for the same where the last index is below the element of the
//! array `len` that the other indices pick, and 0 beyond. An absent array has any elements.
//!
//! `cargo test -p repfuzz-inverter --release --test specs -- layouts --nocapture` prints the share of draws that are made
//! and the time of a draw for each value.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use inverter::program::{Length, Program};
use inverter::run::{Record, from_json};
use inverter::solve::ChoiceSource;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};
use test_support::suite::{Suites, note};

use crate::draws::{Draws, size};
use crate::support::subject::Subject;
use crate::{read, specs};

/// The draws for every change: a fault that is in one of ten files shows.
const DRAWS: Draws = Draws { few: 40, many: 5 };
/// The draws of the slow cases.
const ALL_DRAWS: Draws = Draws { few: 200, many: 40 };

/// The kinds of structure that files have everywhere.
const KINDS: [&str; 6] =
    ["offset table", "dictionary", "monotone", "trailer", "byte order", "guard"];

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    let specs = specs("file_layouts");
    suites.files("layouts", &specs, |path| check(path, DRAWS));
    suites.full("layouts", &specs, |path| check(path, ALL_DRAWS));
    suites.case("layouts::have_the_kinds_of_files", kinds);
}

/// The notes of a program.
struct Notes {
    values: Vec<Map<String, Value>>,
    share: u64,
    loss: bool,
}

fn notes(name: &str, text: &str) -> Notes {
    let (mut values, mut share, mut loss) = (Vec::new(), 99, false);
    for note in text.lines().filter_map(|l| l.strip_prefix("//@ ")) {
        match note.split_once(' ').unwrap_or((note, "")) {
            ("y", json) => values
                .push(serde_json::from_str(json).unwrap_or_else(|e| panic!("{name}: {e}: {json}"))),
            ("share", rest) => {
                let (n, reason) = rest.split_once(": ").unwrap_or_else(|| panic!("{name}: {rest}"));
                assert!(!reason.is_empty(), "{name}: no reason");
                share = n.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            ("loss:", reason) if !reason.is_empty() => loss = true,
            ("kind", kind) if !kind.is_empty() => {}
            _ => panic!("{name}: nobody knows what `{note}` is"),
        }
    }
    assert!(!values.is_empty(), "{name}: no canonical value");
    Notes { values, share, loss }
}

/// Completes a value.
pub fn value(program: &Program, given: &Map<String, Value>, rng: &mut ChaCha8Rng) -> Record {
    let mut whole = given.clone();
    for f in program.output.fields.iter().filter(|f| !f.is_scalar()) {
        let (least, most) = f.int.range();
        let text = match given.get(&f.name) {
            None => format!("{least}..{}", most + 1),
            Some(Value::String(text)) => text.clone(),
            Some(_) => continue,
        };
        let (range, below) = match text.split_once(" up to ") {
            Some((range, below)) => (range, Some(whole[below].clone())),
            None => (text.as_str(), None),
        };
        let (lo, hi) = range.split_once("..").unwrap();
        let (lo, hi): (i128, i128) = (lo.parse().unwrap(), hi.parse().unwrap());
        let lengths = f.lengths.iter().map(|l| length(program, l, &whole)).collect::<Vec<_>>();
        let elements = elements(&lengths, below.as_ref(), &mut || rng.random_range(lo..hi));
        whole.insert(f.name.clone(), elements);
    }
    from_json(&program.output, &Value::Object(whole)).unwrap()
}

fn length(program: &Program, length: &Length, value: &Map<String, Value>) -> usize {
    let Length::Is(e) = length else { panic!("outputs have lengths") };
    let mut scalars = value.clone();
    scalars.retain(|name, _| {
        program.output.field(name).is_some_and(|f| program.output.fields[f.0].is_scalar())
    });
    let e = e.substitute(|e| match e {
        inverter::program::Expr::Ref(r) => {
            let n = scalars[&program.output.fields[r.field.0].name].as_i64().unwrap();
            Some(inverter::program::Expr::Int(n.into()))
        }
        _ => None,
    });
    inverter::program::Poly::of(&e).as_int().unwrap().max(0) as usize
}

fn elements(lengths: &[usize], below: Option<&Value>, draw: &mut dyn FnMut() -> i128) -> Value {
    let count = below.and_then(Value::as_u64);
    let (first, rest) = lengths.split_first().unwrap();
    let one = |k: usize| match rest {
        [] if count.is_some_and(|n| k as u64 >= n) => json!(0),
        [] => json!(draw() as i64),
        rest => elements(rest, below.map(|b| &b[k]), draw),
    };
    (0..*first).map(one).collect()
}

/// The programs of these kinds, here and in `structures`.
fn kinds() {
    let mut counts = BTreeMap::<String, usize>::new();
    for path in ["file_layouts", "structures"].into_iter().flat_map(specs) {
        let (_, text) = read(&path);
        let kind = text.lines().find_map(|line| line.strip_prefix("//@ kind "));
        if let Some(kind) = kind.filter(|kind| KINDS.contains(kind)) {
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
    }
    note(format_args!("{counts:?}"));
    assert!(counts.values().sum::<usize>() >= 60, "{counts:?}");
    assert!(KINDS.iter().all(|kind| counts.contains_key(*kind)), "{counts:?}");
}

fn check(path: &Path, draws: Draws) {
    let (name, text) = read(path);
    let notes = notes(&name, &text);
    let subject = Subject::of(&name, &text).unwrap_or_else(|why| panic!("{name}: {why}"));
    let losses = &subject.inverse().losses;
    assert_eq!(!losses.is_empty(), notes.loss, "{name}: losses: {losses:?}");
    note(subject.inverse());
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut bad = Vec::new();
    for given in &notes.values {
        let y = value(subject.program(), given, &mut rng);
        let draws = draws.of(&y);
        let (mut made, mut why, mut took) = (Vec::new(), Vec::new(), Duration::ZERO);
        for index in 0..draws {
            let began = Instant::now();
            match subject.draw(&y, ChoiceSource::seeded(5, index)) {
                Ok(file) => made.push(file),
                Err(e) => why.push(e),
            }
            took += began.elapsed();
        }
        let count = made.len() as u64;
        made.sort();
        made.dedup();
        note(format_args!(
            "{:5} elements: {count:3} of {draws:3}, {:3} different, {:7.2} ms a draw",
            size(&y),
            made.len(),
            took.as_secs_f64() * 1e3 / draws as f64
        ));
        why.sort();
        why.dedup();
        if count * 100 < draws * notes.share {
            bad.push(format!("{count} of {draws}: {why:#?}"));
        }
    }
    assert!(bad.is_empty(), "{name}: {}", bad.join("\n"));
}
