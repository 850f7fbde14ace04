//! Programs with walks. Nearly every draw must succeed; each is read back, and its choices make it again.
//!
//! The folder `walks` holds a program a file. Lines that start with `//@ ` are its values, and what must vary:
//!
//! | line | meaning |
//! |---|---|
//! | `y {..}` | a canonical value; one or more |
//! | `file HEX` | a file, whose value is another; `more HEX` goes on with it |
//! | `varies a, b` | these dimensions have three values or more in the draws of a value |

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use inverter::pipeline::from_text;
use inverter::primitive::Primitives;
use inverter::program::SpecText;
use inverter::run::{Limits, Record, from_json};
use inverter::solve::{ChoiceSource, Choices};
use serde_json::Value;
use test_support::suite::{Suites, note};

use crate::draws::Draws;
use crate::{read, specs};

const DRAWS: Draws = Draws { few: 60, many: 20 };
const ALL_DRAWS: Draws = Draws { few: 1000, many: 200 };
/// The least number of values of a dimension that varies.
const VALUES: usize = 3;

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    let specs = specs("walks");
    suites.files("walks", &specs, |path| check(path, DRAWS));
    suites.full("walks", &specs, |path| check(path, ALL_DRAWS));
}

fn check(path: &Path, draws: Draws) {
    let (name, text) = read(path);
    let notes: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//@ "))
        .map(|note| note.split_once(' ').unwrap_or_else(|| panic!("{name}: {note}")))
        .collect();
    let of = |kind| notes.iter().filter(move |(k, _)| *k == kind).map(|(_, rest)| *rest);
    let pipeline = from_text(&SpecText::alone(&name, &text), &Primitives::shipped());
    let pipeline = pipeline.unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let json = |json| serde_json::from_str::<Value>(json).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut all: Vec<Record> =
        of("y").map(|text| from_json(pipeline.output(), &json(text)).unwrap()).collect();
    let hex: String = of("file").chain(of("more")).collect();
    if !hex.is_empty() {
        let file =
            (0..hex.len()).step_by(2).map(|k| u8::from_str_radix(&hex[k..k + 2], 16).unwrap());
        let x = pipeline.open(file.collect()).unwrap_or_else(|e| panic!("{name}: {e}"));
        all.push(pipeline.normalize(&x).unwrap_or_else(|e| panic!("{name}: {e}")));
    }
    for y in all {
        let (mut failed, mut files) = (Vec::new(), BTreeSet::new());
        let draws = draws.of(&y);
        for index in 0..draws {
            let mut source = ChoiceSource::seeded(5, index);
            let x = match pipeline.invert(&y, &mut source, &Limits::default()) {
                Ok(x) => x,
                Err(e) => {
                    failed.push(e.to_string());
                    continue;
                }
            };
            let choices = source.into_recorded();
            for (dimension, value) in choices.iter() {
                values.entry(dimension.to_owned()).or_default().insert(value.to_string());
            }
            // The choices make it again, also as what a file embodies.
            let mut again = ChoiceSource::replaying(choices.clone());
            let made = pipeline.invert(&y, &mut again, &Limits::default());
            assert_eq!(made.as_ref().ok(), Some(&x), "{name}: {made:?}: {choices:?}");
            let own = pipeline.own_choices(&x, &Limits::default()).unwrap();
            let fill = choices.iter().filter(|(dimension, _)| dimension.ends_with(" fill"));
            let mut whole: Choices = own.iter().map(|(k, v)| (k.to_owned(), v.clone())).collect();
            fill.for_each(|(dimension, value)| whole.set(dimension, value.clone()));
            let mut again = ChoiceSource::replaying(whole.clone());
            let made = pipeline.invert(&y, &mut again, &Limits::default());
            assert_eq!(
                made.as_ref().ok(),
                Some(&x),
                "{name}: {made:?}: {whole:?}, drawn as {choices:?}"
            );
            let file = pipeline.file(x).unwrap();
            let again = pipeline.open(file.clone()).and_then(|x| pipeline.normalize(&x));
            assert_eq!(again.as_ref().ok(), Some(&y), "unsound: {file:?}");
            files.insert(file);
        }
        note(format_args!("{} of {draws} failed, {} different", failed.len(), files.len()));
        assert!(failed.len() as u64 * 100 <= draws, "{name}: {} failed: {failed:#?}", failed.len());
    }
    for dimension in of("varies").flat_map(|list| list.split(", ")) {
        let found = values.get(dimension).map_or(0, BTreeSet::len);
        assert!(found >= VALUES, "{name}: {dimension} has {found} values: {:?}", values.keys());
    }
}
