//! Random programs, random canonical values, random choices: whatever the inverse makes
//! normalizes to its value, and no run fails once its ensures have found values.

use crate::support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::Executable;
use rayon::prelude::*;
use support::dice::{Dice, Seeded, Tape, shrink};
use support::{Kind, Tally};

/// The outcome of one program.
#[derive(Default)]
struct Outcome {
    tally: Tally,
    inverted: bool,
    announced: bool,
    failure: Option<(Kind, String)>,
    text: String,
    seconds: f64,
}

/// Makes a program, inverts it, and draws.
fn one(dice: &mut impl Dice, values: u64, draws: u64) -> Outcome {
    let mut out = Outcome { text: support::random::program(dice), ..Outcome::default() };
    let began = std::time::Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let program = parse("random.rs", &out.text).map_err(|e| {
            (Kind::Error, format!("{:?}", e.each().map(|e| e.to_string()).collect::<Vec<_>>()))
        })?;
        let Ok(inverse) = invert(&program).map(Executable::new) else { return Ok(()) };
        out.inverted = true;
        out.announced = support::announced(&inverse);
        let (tally, result) = support::try_draw(&inverse, dice, values, draws);
        out.tally = tally;
        result
    }));
    out.seconds = began.elapsed().as_secs_f64();
    out.failure = match result {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Some((Kind::Panic, text.unwrap_or_default()))
        }
    };
    out
}

/// The smallest program and draw that fail in the same way.
fn smallest(tape: Vec<u64>, kind: Kind, tries: usize) -> Outcome {
    let began = std::time::Instant::now();
    let fails = |tape: &[u64]| {
        began.elapsed().as_secs() < 60
            && one(&mut Tape::new(tape), 3, 4).failure.is_some_and(|(found, _)| found == kind)
    };
    let tape = shrink(tape, tries, &mut |tape| fails(tape));
    one(&mut Tape::new(&tape), 3, 4)
}

fn run(programs: std::ops::Range<u64>, values: u64, draws: u64) {
    let count = programs.end - programs.start;
    let tries = std::env::var("SHRINK").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let outcomes: Vec<(u64, Outcome)> = programs
        .into_par_iter()
        .map(|seed| {
            if std::env::var_os("VERBOSE").is_some() {
                eprintln!("seed {seed}");
            }
            let mut dice = Seeded::new(seed);
            let mut out = one(&mut dice, values, draws);
            if let Some((kind, why)) = &out.failure {
                let small = smallest(dice.tape, *kind, tries);
                let (text, why) = match &small.failure {
                    Some((_, why)) => (&small.text, why),
                    None => (&out.text, why),
                };
                println!("seed {seed}: {kind:?}\n{text}{why}\n");
            }
            if std::env::var_os("VERBOSE").is_some() {
                eprintln!("done {seed} {:.1} s", out.seconds);
            }
            out.text.clear();
            (seed, out)
        })
        .collect();
    let (mut total, mut inverted, mut fruitful) = (Tally::default(), 0, 0);
    let mut failures: std::collections::BTreeMap<Kind, Vec<u64>> = Default::default();
    for (seed, out) in &outcomes {
        total.made += out.tally.made;
        total.none += out.tally.none;
        total.failed += out.tally.failed;
        total.skipped += out.tally.skipped;
        inverted += u64::from(out.inverted);
        fruitful += u64::from(out.tally.made > 0);
        if let Some((kind, _)) = &out.failure {
            failures.entry(*kind).or_default().push(*seed);
        }
    }
    let announced = outcomes.iter().filter(|o| o.1.announced).count();
    println!(
        "{count} programs, {inverted} inverted, {fruitful} fruitful, {announced} that announce \
         that a run may fail: {total:?}; failures: {failures:?}"
    );
    assert!(failures.is_empty(), "{failures:?}");
    // The generator is of no use if little comes of it.
    assert!(inverted * 10 >= count * 8, "only {inverted} of {count} invert");
    assert!(fruitful * 10 >= inverted * 6, "only {fruitful} of {inverted} give anything");
}

#[test]
fn random_programs_have_sound_inverses() {
    run(0..60, 8, 4);
}

/// A range of seeds may be given: `SEEDS=100..200`.
#[test]
#[ignore = "slow"]
fn two_thousand_random_programs_have_sound_inverses() {
    let given = std::env::var("SEEDS").ok();
    let range = given
        .as_deref()
        .and_then(|s| s.split_once(".."))
        .and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    run(range.unwrap_or(0..2000), 20, 20);
}
