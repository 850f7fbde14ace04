//! Canonical values with few representations, each of which is drawn about as often as the others.
//!
//! A spec in `even` has lines `//@ y {..}`, each a canonical value as JSON. The representations of each are
//! counted by brute force: the spec normalizes every input whose scalars and elements have values of their
//! types, or those of a line `//@ within NAME LEAST..=MOST`, which the spec's own assumptions imply. Where these
//! are too many, a line `//@ all N` after a value states the number. `--nocapture` prints the numbers.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use inverter::check::load;
use inverter::program::{Length, Program};
use inverter::run::{
    Array, Executable, FieldValue, Limits, Record, Runner, from_json, normalize, to_json,
};
use inverter::solve::ChoiceSource;
use test_support::suite::{Suites, note};

use crate::{read, specs};

/// The number of draws of each value.
const DRAWS: u64 = 2000;
/// A value with so many representations is one of many.
const FEW: u64 = 500;
/// No representation is drawn more often than this many times the mean.
const MOST: u64 = 5;
/// With a mean of so many draws, each representation is drawn.
const SURE: u64 = 25;

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    suites.files("even", &specs("even"), check);
    suites.case("even::are_many", || {
        let count = specs("even").len();
        assert!(count >= 25, "{count}");
    });
}

/// A canonical value, with the number of its representations if it is stated.
struct Value {
    y: Record,
    stated: Option<u64>,
}

/// The values that a spec lists.
fn values(text: &str, program: &Program) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for line in text.lines() {
        if let Some(json) = line.strip_prefix("//@ y ") {
            let json = serde_json::from_str(json).unwrap_or_else(|e| panic!("{json}: {e}"));
            out.push(Value { y: from_json(&program.output, &json).unwrap(), stated: None });
        } else if let Some(n) = line.strip_prefix("//@ all ") {
            out.last_mut().unwrap().stated = Some(n.parse().unwrap());
        }
    }
    out
}

/// The values of each field that are enumerated.
fn ranges(text: &str, program: &Program) -> Vec<RangeInclusive<i128>> {
    let within = |name: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("//@ within "));
        let mut own = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let (least, most) = own.next()?.split_once("..=")?;
        Some(least.parse().unwrap()..=most.parse().unwrap())
    };
    let fields = program.input.fields.iter();
    fields
        .map(|field| {
            let (least, most) = field.int.range();
            within(&field.name).unwrap_or(least..=most)
        })
        .collect()
}

/// Counts the representations of each value.
fn counted(text: &str, program: &Program, values: &[Value]) -> Vec<u64> {
    let ranges = ranges(text, program);
    // Each field of the input as its first cells: a scalar has one.
    let mut x = Record { fields: Vec::new() };
    let mut cells: Vec<(usize, usize)> = Vec::new();
    for (k, field) in program.input.fields.iter().enumerate() {
        let lengths: Vec<usize> = field
            .lengths
            .iter()
            .map(|length| match length {
                Length::Is(inverter::program::Expr::Int(n)) => usize::try_from(*n).unwrap(),
                _ => panic!("{}: a length that is no number", field.name),
            })
            .collect();
        let count: usize = lengths.iter().product();
        cells.extend((0..count).map(|cell| (k, cell)));
        x.fields.push(match lengths.is_empty() {
            true => FieldValue::Scalar(0),
            false => FieldValue::Array(Array::zeros(field.int, lengths).unwrap()),
        });
    }
    fn set(x: &mut Record, (field, cell): (usize, usize), value: i128) {
        match &mut x.fields[field] {
            FieldValue::Scalar(scalar) => *scalar = value,
            FieldValue::Array(array) => assert!(array.cells.set(cell, value)),
        }
    }
    let mut at: Vec<i128> = cells.iter().map(|(k, _)| *ranges[*k].start()).collect();
    cells.iter().zip(&at).for_each(|(cell, value)| set(&mut x, *cell, *value));
    let mut counts = vec![0; values.len()];
    loop {
        if let Ok(y) = normalize(program, &x)
            && let Some(k) = values.iter().position(|value| value.y == y)
        {
            counts[k] += 1;
        }
        // The next combination, as an odometer counts.
        let Some(k) = (0..cells.len()).rev().find(|k| at[*k] < *ranges[cells[*k].0].end()) else {
            return counts;
        };
        at[k] += 1;
        set(&mut x, cells[k], at[k]);
        for later in k + 1..cells.len() {
            at[later] = *ranges[cells[later].0].start();
            set(&mut x, cells[later], at[later]);
        }
    }
}

/// Draws representations of a value, and returns how often each occurs.
fn drawn(name: &str, inverse: &Executable, y: &Record) -> HashMap<String, u64> {
    let runner = Arc::new(Runner::new(inverse, Limits::default()));
    let prepared = runner.prepare(y.clone()).unwrap();
    let mut counts: HashMap<String, u64> = HashMap::new();
    for index in 0..DRAWS {
        let mut source = ChoiceSource::seeded(5, index);
        let x = prepared.invert(&mut source).unwrap_or_else(|e| panic!("{name}: {e}"));
        let json = to_json(&inverse.program.input, &x).to_string();
        if let Some(count) = counts.get_mut(&json) {
            *count += 1;
            continue;
        }
        let back = normalize(&inverse.program, &x);
        assert!(back.is_ok_and(|back| back == *y), "{name}: {json} means something else");
        let mut again = ChoiceSource::replaying(source.into_recorded());
        let again = prepared.invert(&mut again);
        assert!(again.is_ok_and(|again| again == x), "{name}: {json} is not replayed");
        counts.insert(json, 1);
    }
    counts
}

fn check(path: &Path) {
    let (name, text) = read(path);
    let inverse = load(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let values = values(&text, &inverse.program);
    assert!(!values.is_empty(), "{name}: no value");
    let began = std::time::Instant::now();
    let counted = match values.iter().all(|value| value.stated.is_some()) {
        true => vec![0; values.len()],
        false => counted(&text, &inverse.program, &values),
    };
    let enumerated = began.elapsed();
    let mut wrong = Vec::new();
    for (value, counted) in values.iter().zip(counted) {
        let all = value.stated.unwrap_or(counted);
        let y = to_json(&inverse.program.output, &value.y);
        let began = std::time::Instant::now();
        let drawn = drawn(&name, &inverse, &value.y);
        let took = began.elapsed();
        let (most, different) = (drawn.values().max().copied().unwrap_or(0), drawn.len() as u64);
        note(format_args!(
            "{y}: {all} representations, {different} drawn, one {most} times, {:.1} times the mean ({enumerated:.1?}, {took:.1?})",
            (most * all) as f64 / DRAWS as f64
        ));
        assert!((1..FEW).contains(&all) && different <= all, "{name} {y}: {all} {different}");
        if most * all > MOST * DRAWS || all * SURE <= DRAWS && different < all {
            wrong.push(format!("{name} {y}: {different} of {all}, one {most} times"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
