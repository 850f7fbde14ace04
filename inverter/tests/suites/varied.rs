//! Variety: each dimension and each element that may vary does, whatever the number of elements.
//!
//! A program in `varied` has lines `//@ y {..}`, each a canonical value as in `file_layouts`, in which SIZE stands for one of
//! several numbers: those of a line `//@ sizes ..`, or [`SIZES`]. A line `//@ varies NAME N` demands that each element of this
//! field, or this scalar, has N different values or more in the draws of a value. In a file, NAME is a range of bytes.
//! `--nocapture` prints the numbers.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use inverter::solve::ChoiceSource;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use test_support::suite::{Suites, note};

use crate::support::subject::Subject;
use crate::{layouts, read, specs};

/// The numbers of elements.
const SIZES: [u64; 3] = [4, 40, 200];
/// The number of draws of each value.
const DRAWS: u64 = 100;
/// The least share of draws that are made.
const MADE: f64 = 0.99;

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    suites.files("varied", &specs("varied"), check);
}

/// The number of draws in which a number had each value.
type Counts = BTreeMap<Vec<u8>, usize>;

/// Adds the numbers of a draw that a demand is about.
fn count(drawn: &[u8], name: &str, counts: &mut Vec<Counts>) {
    let numbers: Vec<Vec<u8>> = match name.split_once("..") {
        Some((from, to)) => vec![drawn[from.parse().unwrap()..to.parse().unwrap()].to_vec()],
        None => {
            let record: Value = serde_json::from_slice(drawn).unwrap();
            match &record[name] {
                Value::Array(items) => items.iter().map(|n| n.to_string().into_bytes()).collect(),
                Value::Null => panic!("no field {name}"),
                scalar => vec![scalar.to_string().into_bytes()],
            }
        }
    };
    counts.resize_with(counts.len().max(numbers.len()), Counts::new);
    for (counts, number) in counts.iter_mut().zip(numbers) {
        *counts.entry(number).or_default() += 1;
    }
}

fn check(path: &Path) {
    let (name, text) = read(path);
    let subject = Subject::of(&name, &text).unwrap_or_else(|why| panic!("{name}: {why}"));
    let notes = |word: &str| -> Vec<String> {
        let all = text.lines().filter_map(|line| line.strip_prefix("//@ ")?.strip_prefix(word));
        all.map(|rest| rest.trim().to_owned()).collect()
    };
    let stated = notes("sizes").concat();
    let sizes: Vec<u64> = match stated.is_empty() {
        true => SIZES.to_vec(),
        false => stated.split(' ').map(|n| n.parse().unwrap()).collect(),
    };
    let demands = notes("varies");
    assert!(!demands.is_empty(), "{name}: nothing varies");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut bad = Vec::new();
    for (json, size) in notes("y").iter().flat_map(|json| sizes.iter().map(move |n| (json, n))) {
        let given = serde_json::from_str(&json.replace("SIZE", &size.to_string()));
        let given = given.unwrap_or_else(|e| panic!("{name}: {e}: {json}"));
        let y = layouts::value(subject.program(), &given, &mut rng);
        let (mut counts, mut failed) = (vec![Vec::new(); demands.len()], BTreeMap::new());
        let (began, mut longest) = (Instant::now(), Duration::ZERO);
        for index in 0..DRAWS {
            let began = Instant::now();
            match subject.draw(&y, ChoiceSource::seeded(7, index)) {
                Ok(drawn) => {
                    for (demand, counts) in demands.iter().zip(&mut counts) {
                        count(&drawn, demand.split_once(' ').unwrap().0, counts);
                    }
                }
                Err(why) => {
                    *failed.entry(why.chars().take(300).collect::<String>()).or_insert(0) += 1
                }
            }
            longest = longest.max(began.elapsed());
        }
        let lost: u64 = failed.values().sum();
        let took = began.elapsed().as_secs_f64() * 1e3 / DRAWS as f64;
        note(format_args!(
            "{size} elements: {lost} of {DRAWS} draws fail, {took:.2} ms a draw, at most {longest:.1?}"
        ));
        for (demand, counts) in demands.iter().zip(&counts) {
            let (field, least) = demand.split_once(' ').unwrap();
            let distinct = counts.iter().map(Counts::len).min().unwrap_or(0);
            let most = counts.iter().filter_map(|c| c.values().max()).max().copied().unwrap_or(0);
            note(format_args!("  {field}: {distinct} values or more, one {most} times"));
            if distinct < least.parse().unwrap() {
                bad.push(format!(
                    "of {size} elements, one of {field} has {distinct} values, not {least}"
                ));
            }
        }
        if (lost as f64) > (1.0 - MADE) * DRAWS as f64 {
            bad.push(format!("of {size} elements, {lost} draws fail: {failed:#?}"));
        }
    }
    assert!(bad.is_empty(), "{name}: {}", bad.join("\n"));
}
