//! Helpers of the tests of soundness.

#![allow(dead_code)]

pub mod agree;
pub mod dice;
pub mod random;
pub mod subject;

use inverter::program::{Expr, Length, Op, Program};
use inverter::run::{
    Array, Executable, FieldValue, Limits, Record, RunError, invert_value, normalize, own_choices,
};
use inverter::solve::{ChoiceSource, Choices};

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dice::Dice;

/// The specs in a folder beside the tests, in the order of their names. A folder without any is not in the repository.
pub fn specs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    if !folder.exists() {
        return Vec::new();
    }
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    paths.sort();
    paths
}

/// Name and text of every spec in a folder beside the tests.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let program = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    specs(folder).into_iter().map(program).collect()
}

/// A canonical value with small scalars; arrays as long as they say.
pub fn random_value(program: &Program, dice: &mut impl Dice) -> Record {
    let mut fields: Vec<FieldValue> = Vec::new();
    for f in &program.output.fields {
        let (lo, hi) = f.int.range();
        if f.is_scalar() {
            let n = dice.between(0, 7);
            fields.push(FieldValue::Scalar(n.clamp(lo, hi)));
            continue;
        }
        let lengths: Vec<usize> = f
            .lengths
            .iter()
            .map(|l| match l {
                Length::Is(e) => length(e, &fields).clamp(0, 512) as usize,
                Length::Free => unreachable!("outputs have lengths"),
            })
            .collect();
        let mut array = Array::zeros(f.int, lengths).unwrap();
        let habit = dice.below(4);
        for k in 0..array.cells.len() {
            let n = match habit {
                0 => lo.max(0),
                1 => dice.between(0, 2),
                2 => dice.between(0, 255).clamp(lo, hi),
                _ => dice.between(lo, hi),
            };
            array.cells.set(k, n);
        }
        fields.push(FieldValue::Array(array));
    }
    Record { fields }
}

/// A small input; a representation only by luck. Arrays are as long as they say.
pub fn random_input(program: &Program, rng: &mut rand_chacha::ChaCha8Rng) -> Record {
    use rand::RngExt;
    let mut fields: Vec<FieldValue> = Vec::new();
    let (top, greatest) = (rng.random_range(1..=3i128), rng.random_range(0..=8i128));
    for f in &program.input.fields {
        let (lo, hi) = f.int.range();
        if f.is_scalar() {
            fields.push(FieldValue::Scalar(rng.random_range(0..=top).clamp(lo, hi)));
            continue;
        }
        let lengths = f.lengths.iter().map(|l| match l {
            Length::Is(e) => length(e, &fields).clamp(0, 512) as usize,
            Length::Free => rng.random_range(0..=16),
        });
        let lengths = lengths.collect();
        let mut array = Array::zeros(f.int, lengths).unwrap();
        for k in 0..array.cells.len() {
            array.cells.set(k, rng.random_range(0..=greatest).clamp(lo, hi));
        }
        fields.push(FieldValue::Array(array));
    }
    Record { fields }
}

fn length(e: &Expr, fields: &[FieldValue]) -> i128 {
    match e {
        Expr::Int(n) => *n,
        Expr::Var(_) => 0,
        Expr::Ref(r) => match &fields[r.field.0] {
            FieldValue::Scalar(n) => *n,
            FieldValue::Array(_) => 0,
        },
        Expr::Bin(op, a, b) => {
            let (a, b) = (length(a, fields), length(b, fields));
            match op {
                Op::Div | Op::Rem | Op::DivCeil if b < 1 => 0,
                _ => inverter::program::eval::apply(*op, a, b).unwrap(),
            }
        }
    }
}

/// The outcome of drawing representations.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Representations made, each sound.
    pub made: u64,
    /// Canonical values found to have none.
    pub none: u64,
    /// Runs that failed although every ensure found values.
    pub failed: u64,
    /// Draws that were left out because the program's time was up.
    pub skipped: u64,
}

/// The time limit for one program's draws: hard queries to Z3 take seconds each.
const TIME: Duration = Duration::from_secs(5);

/// The failure that must not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A representation does not normalize to its value.
    Unsound,
    /// A run failed although every ensure found values.
    FailedAssume,
    /// A run, none of whose choices was given, ended with another error.
    Error,
    /// Recorded choices do not give the same representation again.
    Replay,
    /// A panic.
    Panic,
}

/// A canonical value's share of the draws. `failed` says what to do about a failed assumption.
fn draw_one(
    inverse: &Executable,
    y: &Record,
    v: u64,
    draws: u64,
    began: Instant,
    tally: &mut Tally,
    failed: &mut dyn FnMut(String),
) -> Result<(), (Kind, String)> {
    for k in 0..draws {
        if began.elapsed() > TIME {
            tally.skipped += draws - k;
            return Ok(());
        }
        let mut source = ChoiceSource::seeded(v, k);
        let with = |what: &str, source: &ChoiceSource| {
            let y = inverter::run::to_json(&inverse.program.output, y);
            format!("{what}\nvalue {y}\nchoices {:?}", source.recorded())
        };
        match invert_value(inverse, y, &mut source, &Limits { slack: 64, ..Limits::default() }) {
            Ok(x) => {
                tally.made += 1;
                let back = normalize(&inverse.program, &x)
                    .map_err(|e| (Kind::Unsound, with(&e.to_string(), &source)))?;
                if back != *y {
                    return Err((Kind::Unsound, with("normalizes to another value", &source)));
                }
                if k == 0 {
                    let choices = source.into_recorded();
                    replay(inverse, y, &x, &choices).map_err(|why| {
                        (Kind::Replay, with(&why, &ChoiceSource::replaying(choices)))
                    })?;
                }
            }
            Err(RunError::NoRepresentation(_)) => tally.none += 1,
            Err(RunError::FailedAssume(why)) => {
                tally.failed += 1;
                failed(with(&why, &source));
            }
            Err(e) => return Err((Kind::Error, with(&e.to_string(), &source))),
        }
    }
    Ok(())
}

/// Draws representations of random canonical values: each normalizes to its value, and
/// replays. The first failed assumption is told too, if the inverse announces none.
pub fn try_draw(
    inverse: &Executable,
    dice: &mut impl Dice,
    values: u64,
    draws: u64,
) -> (Tally, Result<(), (Kind, String)>) {
    let mut tally = Tally::default();
    let mut first: Option<String> = None;
    let began = Instant::now();
    for v in 0..values {
        let y = random_value(&inverse.program, dice);
        let mut failed = |why| {
            first.get_or_insert(why);
        };
        if let Err(e) = draw_one(inverse, &y, v, draws, began, &mut tally, &mut failed) {
            return (tally, Err(e));
        }
    }
    match first {
        Some(why) if !announced(inverse) => (tally, Err((Kind::FailedAssume, why))),
        _ => (tally, Ok(())),
    }
}

/// Returns true if the inverse announces that a run may fail.
pub fn announced(inverse: &Executable) -> bool {
    inverse.losses.iter().any(|l| l.message.contains("only seen when the data is in place"))
}

/// Like [`try_draw`], but panics on failures. `what` names the program.
pub fn draw(
    what: &str,
    inverse: &Executable,
    dice: &mut impl Dice,
    values: u64,
    draws: u64,
) -> Tally {
    let (tally, result) = try_draw(inverse, dice, values, draws);
    if let Err((kind, why)) = result {
        panic!("{what}\n{kind:?}: {why}\n{inverse}");
    }
    tally
}

/// Draws representations of one canonical value, as [`draw`] does.
pub fn draw_value(
    what: &str,
    inverse: &Executable,
    y: &Record,
    seed: u64,
    draws: u64,
    tally: &mut Tally,
) {
    let mut first: Option<String> = None;
    let mut failed = |why| {
        first.get_or_insert(why);
    };
    if let Err((kind, why)) = draw_one(inverse, y, seed, draws, Instant::now(), tally, &mut failed)
    {
        panic!("{what}\n{kind:?}: {why}\n{inverse}");
    }
    if let Some(why) = first.filter(|_| !announced(inverse)) {
        panic!("{what}\n{why}\n{inverse}");
    }
}

/// The recorded choices give the same representation again, and it tells its own choices.
fn replay(inverse: &Executable, y: &Record, x: &Record, choices: &Choices) -> Result<(), String> {
    let limits = Limits { slack: 1 << 16, ..Limits::default() };
    let mut again = ChoiceSource::replaying(choices.clone());
    let twin = invert_value(inverse, y, &mut again, &limits).map_err(|e| format!("replay: {e}"))?;
    if twin != *x {
        return Err("the replay gives another representation".into());
    }
    if !again.unused().is_empty() {
        return Err(format!("the replay asks for none of {:?}", again.unused()));
    }
    let own = own_choices(inverse, x, y, &limits).map_err(|e| format!("own choices: {e}"))?;
    // An order of segments that are empty, or a scalar that a branch settles, may be told
    // otherwise; what is told must still be a representation.
    let mut told = ChoiceSource::replaying(own.clone());
    if let Ok(third) = invert_value(inverse, y, &mut told, &limits) {
        match normalize(&inverse.program, &third) {
            Ok(back) if back == *y => {}
            _ => return Err(format!("own choices give no representation: {own:?}")),
        }
    }
    Ok(())
}
