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
//! `cargo test -p repfuzz-inverter --release --test it -- file_layouts --nocapture` prints the share of draws that are made
//! and the time of a draw for each value; `ONLY=name` limits it to some programs.

use crate::support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use inverter::program::{Length, Program};
use inverter::run::{FieldValue, Record, from_json};
use inverter::solve::ChoiceSource;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};
use support::subject::Subject;

/// The draws of a value with few elements, and of one with many.
const DRAWS: [u64; 2] = [200, 40];
/// The number of elements that are many.
const MANY: usize = 500;

/// The kinds of structure that files have everywhere.
const KINDS: [&str; 6] =
    ["offset table", "dictionary", "monotone", "trailer", "byte order", "guard"];

/// A program with its notes.
struct Case {
    name: String,
    text: String,
    values: Vec<Map<String, Value>>,
    share: u64,
    loss: bool,
}

fn cases() -> Vec<Case> {
    support::specs("file_layouts").into_iter().map(|p| case(&p)).collect()
}

fn case(path: &std::path::Path) -> Case {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).unwrap();
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
    Case { name, text, values, share, loss }
}

/// Completes a value.
fn value(program: &Program, given: &Map<String, Value>, rng: &mut ChaCha8Rng) -> Record {
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

/// The number of scalars and elements of a value.
fn size(y: &Record) -> usize {
    let of = |f: &FieldValue| match f {
        FieldValue::Scalar(_) => 1,
        FieldValue::Array(a) => a.cells.len(),
    };
    y.fields.iter().map(of).sum()
}

/// Reads the program of a case, which has losses if it is said to.
fn subject(case: &Case) -> Result<Subject, String> {
    let subject = Subject::of(&case.name, &case.text)?;
    let losses = &subject.inverse().losses;
    match losses.is_empty() == case.loss {
        true => Err(format!("losses: {losses:?}")),
        false => Ok(subject),
    }
}

/// The programs of these kinds, here and in `structures`.
#[test]
fn there_are_sixty_programs_of_the_kinds_that_files_have() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for folder in ["file_layouts", "structures"] {
        for entry in std::fs::read_dir(tests.join(folder)).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let kind = text.lines().find_map(|line| line.strip_prefix("//@ kind "));
            if let Some(kind) = kind.filter(|kind| KINDS.contains(kind)) {
                *counts.entry(kind.to_owned()).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() >= 60, "{counts:?}");
    assert!(KINDS.iter().all(|kind| counts.contains_key(*kind)), "{counts:?}");
}

#[test]
fn nearly_every_draw_is_made() {
    let only = std::env::var("ONLY").ok();
    let mut bad = Vec::new();
    for case in cases().iter().filter(|c| only.as_ref().is_none_or(|o| c.name.contains(o))) {
        let subject = match subject(case) {
            Ok(subject) => subject,
            Err(why) => {
                bad.push(format!("{}: {why}", case.name));
                continue;
            }
        };
        if only.is_some() {
            println!("{}", inverter::invert::invert(subject.program()).unwrap());
        }
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for given in &case.values {
            let y = value(subject.program(), given, &mut rng);
            let draws = DRAWS[usize::from(size(&y) >= MANY)];
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
            println!(
                "{:32} {:5} elements: {count:3} of {draws:3}, {:3} different, {:7.2} ms a draw",
                case.name,
                size(&y),
                made.len(),
                took.as_secs_f64() * 1e3 / draws as f64
            );
            why.sort();
            why.dedup();
            if count * 100 < draws * case.share {
                bad.push(format!("{}: {count} of {draws}: {why:#?}", case.name));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
