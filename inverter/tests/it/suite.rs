//! The suite of normalization programs: what their inverses are, and that they are sound.
//!
//! | folder | what is in it |
//! |---|---|
//! | `programs` | programs that invert |
//! | `refused` | programs with a diagnostic that is right |
//! | `pending` | programs that ought to invert, and do not yet |
//!
//! Lines that start with `//@ ` say what a program is:
//!
//! | line | meaning |
//! |---|---|
//! | `y {..}` | a canonical value as JSON, small; one or more |
//! | `x {..}` | a representation that the inverse must be able to make |
//! | `complete` | the inverse can make every representation |
//! | `incomplete: reason` | it cannot, and why |
//! | `loss: reason` | the inverse tells of a loss, and what it is worth |
//! | `values N` | that many random values, where a run takes long |
//! | `pending: reason` | what happens today |
//! | `refused: reason` | why this idea of a format is refused, and what would help |

use crate::support;

use checks::{completeness, reaches};
use inverter::check::load;
use inverter::program::parse;
use inverter::run::explore::Bounds;
use inverter::run::{from_json, normalize, to_json};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use support::programs;

/// The contents of a program's `//@` lines.
#[derive(Default)]
struct Notes {
    values: Vec<serde_json::Value>,
    inputs: Vec<serde_json::Value>,
    random: Option<u64>,
    /// `complete` or `incomplete`: how often it is said, and the reason.
    complete: Vec<String>,
    loss: Option<String>,
    pending: Option<String>,
    refused: Option<String>,
}

fn notes(name: &str, text: &str) -> Notes {
    let mut out = Notes::default();
    for note in text.lines().filter_map(|l| l.strip_prefix("//@")) {
        let (word, rest) = note.trim().split_once(' ').unwrap_or((note.trim(), ""));
        let reason = || match rest.is_empty() {
            true => panic!("{name}: `{word}` without a reason"),
            false => rest.to_owned(),
        };
        match word {
            "y" => out
                .values
                .push(serde_json::from_str(rest).unwrap_or_else(|e| panic!("{name}: {e}: {rest}"))),
            "x" => out
                .inputs
                .push(serde_json::from_str(rest).unwrap_or_else(|e| panic!("{name}: {e}: {rest}"))),
            "values" => out.random = Some(rest.parse().unwrap()),
            "complete" => out.complete.push(String::new()),
            "incomplete:" => out.complete.push(reason()),
            "loss:" => out.loss = Some(reason()),
            "pending:" => out.pending = Some(reason()),
            "refused:" => out.refused = Some(reason()),
            _ => panic!("{name}: nobody knows what `{note}` is"),
        }
    }
    out
}

/// The notes of a program that inverts, or ought to.
fn notes_of_program(name: &str, text: &str) -> Notes {
    let notes = notes(name, text);
    assert!(!notes.values.is_empty(), "{name}: no canonical value");
    assert_eq!(notes.complete.len(), 1, "{name}: either complete or incomplete");
    assert!(notes.refused.is_none(), "{name}: neither refused nor not");
    notes
}

/// Inverts a program, and draws representations of its own values and of random ones.
fn check(name: &str, text: &str) -> support::Tally {
    let notes = notes_of_program(name, text);
    let inverse = load(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(notes.loss.is_some(), !inverse.losses.is_empty(), "{name}: {:?}", inverse.losses);
    let mut tally = support::Tally::default();
    for (k, json) in (0..).zip(&notes.values) {
        let y = from_json(&inverse.program.output, json).unwrap_or_else(|e| panic!("{name}: {e}"));
        support::draw_value(name, &inverse, &y, 1000 + k, 10, &mut tally);
    }
    assert_eq!(tally.none, 0, "{name}: a canonical value has a representation in every draw");
    for json in &notes.inputs {
        let x = from_json(&inverse.program.input, json).unwrap_or_else(|e| panic!("{name}: {e}"));
        reaches(&inverse, &x).unwrap_or_else(|e| panic!("{name}: {json}: {e}"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    if notes.complete == [""] {
        let found = (0..3000).map(|_| support::random_input(&inverse.program, &mut rng));
        let found = found.filter(|x| normalize(&inverse.program, x).is_ok());
        for x in found.take(notes.random.map_or(100, |n| n as usize)) {
            reaches(&inverse, &x).unwrap_or_else(|e| {
                panic!("{name}: {} is not made: {e}", to_json(&inverse.program.input, &x))
            });
        }
    }
    let random = support::draw(name, &inverse, &mut rng, notes.random.unwrap_or(40), 4);
    support::Tally { made: tally.made + random.made, ..random }
}

#[test]
fn suite_is_large_enough() {
    let inverted = programs("programs").len();
    let refused = programs("refused").iter().filter(|(n, t)| notes(n, t).refused.is_some()).count();
    assert!(inverted >= 40, "{inverted}");
    assert!(refused >= 8, "{refused}");
    assert!(inverted + refused >= 60, "{inverted} and {refused}");
}

#[test]
fn pending_programs_are_described() {
    for (name, text) in programs("pending") {
        let notes = notes_of_program(&name, &text);
        assert!(notes.pending.is_some(), "{name}: what happens today?");
        let program = parse(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
        for json in &notes.values {
            from_json(&program.output, json).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        for json in &notes.inputs {
            let x = from_json(&program.input, json).unwrap_or_else(|e| panic!("{name}: {e}"));
            normalize(&program, &x).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

/// Programs that are to be inverted one day; one that is belongs to `programs`.
#[test]
fn pending_programs_do_not_work_yet() {
    let works = |name: &str, text: &str| {
        std::panic::catch_unwind(|| check(name, text)).is_ok_and(|tally| tally.made >= 10)
    };
    let done: Vec<String> = programs("pending")
        .into_iter()
        .filter(|(name, text)| works(name, text))
        .map(|(name, _)| name)
        .collect();
    assert!(done.is_empty(), "these work now: {done:#?}");
}

#[test]
fn inverses_are_as_printed() {
    for (name, text) in programs("programs") {
        let inverse = load(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let shown = format!("{inverse}\n{}", inverse.explain_ensures());
        insta::with_settings!({ description => text, omit_expression => true }, {
            insta::assert_snapshot!(name.trim_end_matches(".rs"), shown);
        });
    }
}

#[test]
fn inverses_are_sound() {
    let mut report = String::new();
    for (name, text) in programs("programs") {
        let tally = check(&name, &text);
        report.push_str(&format!("{name}: {tally:?}\n"));
        assert!(tally.made >= 10, "{report}");
    }
    println!("{report}");
}

/// At least 99 of 100 representations of the values of every program that is marked so.
#[test]
fn complete_programs_are_complete() {
    let mut complete = 0;
    let mut report = String::new();
    for (name, text) in programs("programs") {
        let notes = notes_of_program(&name, &text);
        if !notes.complete[0].is_empty() {
            continue;
        }
        complete += 1;
        let inverse = load(&name, &text).unwrap();
        let (mut all, mut reached) = (0, 0);
        for json in &notes.values {
            let y = from_json(&inverse.program.output, json).unwrap();
            let bounds = Bounds { runs: 4000, steps: 400_000 };
            let found = completeness(&inverse, &y, 8, bounds);
            all += found.all;
            reached += found.reached;
            for (why, (n, example)) in &found.missed {
                report.push_str(&format!("{name}: {n} times: {why}: {example}\n"));
            }
        }
        if reached * 100 < all * 99 || all == 0 {
            report.push_str(&format!("{name}: INCOMPLETE: {reached} of {all}\n"));
        }
    }
    println!("{report}");
    assert!(complete >= 40, "{complete}");
    assert!(!report.contains("INCOMPLETE"), "{report}");
}

#[test]
fn refusals_are_as_printed() {
    for (name, text) in programs("refused") {
        let error = load(&name, &text).expect_err(&format!("{name} is taken"));
        let mut shown = String::new();
        let handler =
            miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
        for one in error.each() {
            handler.render_report(&mut shown, &one).unwrap();
        }
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(format!("refused-{}", name.trim_end_matches(".rs")), shown);
        });
    }
}
