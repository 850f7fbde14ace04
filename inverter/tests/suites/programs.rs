//! Programs that invert: what their inverses are, and that they are sound. [`Notes`] documents their notes.

use std::path::Path;

use checks::{completeness, reaches};
use inverter::check::load;
use inverter::run::explore::Bounds;
use inverter::run::{Executable, from_json, normalize, to_json};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use test_support::suite::{Suites, note};

use crate::notes::Notes;
use crate::support::{self, Tally};
use crate::{read, specs};

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    suites.files("programs", &specs("programs"), check);
    suites.case("programs::are_many", || {
        let inverted = specs("programs").len();
        let refused = specs("refused").into_iter().map(|path| read(&path));
        let refused = refused.filter(|(name, text)| Notes::of(name, text).refused.is_some());
        let refused = refused.count();
        assert!(inverted >= 40, "{inverted}");
        assert!(refused >= 8, "{refused}");
        assert!(inverted + refused >= 60, "{inverted} and {refused}");
    });
    suites.case("programs::are_mostly_complete", || {
        let all = specs("programs").into_iter().map(|path| read(&path));
        let complete = all.filter(|(name, text)| Notes::of_program(name, text).is_complete());
        let complete = complete.count();
        assert!(complete >= 40, "{complete}");
    });
}

/// Inverts a program, draws representations of its own values and of random ones, and compares the inverse with its
/// snapshot.
fn check(path: &Path) {
    let (name, text) = read(path);
    let notes = Notes::of_program(&name, &text);
    let inverse = load(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(notes.loss.is_some(), !inverse.losses.is_empty(), "{name}: {:?}", inverse.losses);
    is_sound(&name, &inverse, &notes);
    if notes.is_complete() {
        is_complete(&name, &inverse, &notes);
    }
    let shown = format!("{inverse}\n{}", inverse.explain_ensures());
    insta::with_settings!({ description => text, omit_expression => true }, {
        insta::assert_snapshot!(name.trim_end_matches(".rs"), shown);
    });
}

fn is_sound(name: &str, inverse: &Executable, notes: &Notes) {
    let mut tally = Tally::default();
    for (k, json) in (0..).zip(&notes.values) {
        let y = from_json(&inverse.program.output, json).unwrap_or_else(|e| panic!("{name}: {e}"));
        support::draw_value(name, inverse, &y, 1000 + k, 10, &mut tally);
    }
    assert_eq!(tally.none, 0, "{name}: a canonical value has a representation in every draw");
    for json in &notes.inputs {
        let x = from_json(&inverse.program.input, json).unwrap_or_else(|e| panic!("{name}: {e}"));
        reaches(inverse, &x).unwrap_or_else(|e| panic!("{name}: {json}: {e}"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    if notes.is_complete() {
        let found = (0..3000).map(|_| support::random_input(&inverse.program, &mut rng));
        let found = found.filter(|x| normalize(&inverse.program, x).is_ok());
        for x in found.take(notes.random.map_or(100, |n| n as usize)) {
            reaches(inverse, &x).unwrap_or_else(|e| {
                panic!("{name}: {} is not made: {e}", to_json(&inverse.program.input, &x))
            });
        }
    }
    let random = support::draw(name, inverse, &mut rng, notes.random.unwrap_or(40), 4);
    let tally = Tally { made: tally.made + random.made, ..random };
    note(format_args!("{tally:?}"));
    assert!(tally.made >= 10, "{name}: {tally:?}");
}

/// At least 99 of 100 representations of the values are made.
fn is_complete(name: &str, inverse: &Executable, notes: &Notes) {
    let (mut all, mut reached) = (0, 0);
    for json in &notes.values {
        let y = from_json(&inverse.program.output, json).unwrap();
        let bounds = Bounds { runs: 4000, steps: 400_000 };
        let found = completeness(inverse, &y, 8, bounds);
        all += found.all;
        reached += found.reached;
        for (why, (n, example)) in &found.missed {
            note(format_args!("{n} times: {why}: {example}"));
        }
    }
    assert!(reached * 100 >= all * 99 && all > 0, "{name}: {reached} of {all} representations");
}
