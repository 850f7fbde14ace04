//! Small canonical values with which a spec is checked.

use std::collections::BTreeSet;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use inverter::program::eval::eval_with;
use inverter::program::{Field, Length};
use inverter::run::explore::{Bounds, Window, any_input};
use inverter::run::{
    Array, Branch, Executable, FieldValue, Limits, Record, any_walk, branches_taken, invert_value,
    normalize_with,
};
use inverter::solve::ChoiceSource;

/// The number of random inputs.
const TRIES: usize = 400;
/// The maximum number of elements of a value: larger ones are not small.
const LARGE: usize = 3000;
/// The number of random values for which a representation is sought.
const GUESSES: usize = 2000;

/// Returns up to `count` different small canonical values. Each is the normal form of a random small input, so it has a
/// representation. The numbers in the input are small ones, and those that the spec mentions: constants, bounds of
/// loops, sizes. Values whose inputs take new branches, or that are larger, come first; the others follow in the order
/// in which they were found.
///
/// If no random input is accepted, as in a format with a magic number or a stream, they are random canonical values for
/// which the inverse makes a representation.
pub fn small_values(inverse: &Executable, count: usize, seed: u64) -> Vec<Record> {
    small_values_until(inverse, count, seed, None)
}

/// Returns a random small input with its canonical value.
fn any_value(inverse: &Executable, rng: &mut ChaCha8Rng) -> Option<(Record, Record)> {
    if inverse.program.has_walks() {
        return any_walk(inverse, &mut ChoiceSource::seeded(rng.random(), 0));
    }
    let bounds = Bounds { runs: 1, steps: 20_000 };
    let mut window = Window::new(&inverse.program, 3);
    let mut pick = |n| rng.random_range(0..n);
    let x = any_input(&inverse.program, &mut window, bounds, &mut pick)?;
    let y = normalize_with(inverse, &x).ok()?;
    Some((x, y))
}

/// [`small_values`], as far as they are found until then.
pub fn small_values_until(
    inverse: &Executable,
    count: usize,
    seed: u64,
    until: Option<Instant>,
) -> Vec<Record> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut found: Vec<(Record, BTreeSet<Branch>)> = Vec::new();
    // Half of the time is reserved for values of the other kind, if none is found.
    let now = Instant::now();
    let half = until.map(|until| now + until.saturating_duration_since(now) / 2);
    for _ in 0..TRIES {
        let end = if found.is_empty() { half } else { until };
        if end.is_some_and(|end| Instant::now() >= end) {
            break;
        }
        let Some((x, y)) = any_value(inverse, &mut rng) else { continue };
        if y.elements() > LARGE {
            continue;
        }
        let taken = branches_taken(inverse, &x).unwrap_or_default();
        match found.iter_mut().find(|(known, _)| *known == y) {
            Some((_, branches)) => branches.extend(taken),
            None => found.push((y, taken)),
        }
    }
    let mut out: Vec<Record> = Vec::new();
    let mut seen: BTreeSet<Branch> = BTreeSet::new();
    // Half of them for branches and size, the rest at random.
    while out.len() < count.div_ceil(2) && !found.is_empty() {
        let news = |(y, taken): &(Record, BTreeSet<Branch>)| {
            (taken.difference(&seen).count(), y.elements().min(64))
        };
        let best = (0..found.len()).max_by_key(|k| (news(&found[*k]), std::cmp::Reverse(*k)));
        let Some(best) = best else { break };
        let (y, taken) = found.remove(best);
        seen.extend(taken);
        out.push(y);
    }
    let rest = count.saturating_sub(out.len());
    out.extend(found.into_iter().take(rest).map(|(y, _)| y));
    if out.is_empty() {
        out = guessed(inverse, count, &mut rng, until);
    }
    out
}

/// Returns up to `count` random canonical values for which the inverse makes a representation.
fn guessed(
    inverse: &Executable,
    count: usize,
    rng: &mut ChaCha8Rng,
    until: Option<Instant>,
) -> Vec<Record> {
    let numbers = Window::new(&inverse.program, 3);
    let limits = Limits::default();
    let mut out: Vec<Record> = Vec::new();
    for guess in 0..GUESSES {
        if out.len() >= count || until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let Some(y) = guess_one(inverse, &numbers, rng).filter(|y| !out.contains(y)) else {
            continue;
        };
        let mut source = ChoiceSource::seeded(0, guess as u64);
        let made = invert_value(inverse, &y, &mut source, &limits);
        if made.is_ok_and(|x| normalize_with(inverse, &x).is_ok_and(|again| again == y)) {
            out.push(y);
        }
    }
    out
}

/// A random value of small numbers, and those that the spec mentions.
fn guess_one(inverse: &Executable, numbers: &Window, rng: &mut ChaCha8Rng) -> Option<Record> {
    let fields = &inverse.program.output.fields;
    let few = |f: &Field, rng: &mut ChaCha8Rng| {
        let range = f.int.range();
        let small = rng.random_bool(0.5);
        let all = match small {
            true => (range.0.max(0)..=range.1.min(3)).collect(),
            false => numbers.within(range),
        };
        (!all.is_empty()).then(|| all[rng.random_range(0..all.len())])
    };
    let mut scalars = vec![None; fields.len()];
    for (scalar, f) in scalars.iter_mut().zip(fields).filter(|(_, f)| f.is_scalar()) {
        *scalar = Some(few(f, rng)?);
    }
    let mut out = Vec::with_capacity(fields.len());
    for (scalar, f) in scalars.iter().zip(fields) {
        if let Some(n) = scalar {
            out.push(FieldValue::Scalar(*n));
            continue;
        }
        let length = |l: &Length| match l {
            Length::Is(e) => eval_with(e, |r| scalars.get(r.field.0).copied().flatten()),
            Length::Free => None,
        };
        let lengths = f.lengths.iter().map(|l| usize::try_from(length(l)?.max(0)).ok());
        let lengths: Vec<usize> = lengths.collect::<Option<_>>()?;
        let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l))?;
        if cells > LARGE {
            return None;
        }
        let mut array = Array::zeros(f.int, lengths)?;
        // Few values occur often: palettes and runs need repetitions.
        let values = [few(f, rng)?, few(f, rng)?, f.int.range().1.min(255)];
        for at in 0..cells {
            array.cells.set(at, values[rng.random_range(0..values.len())]);
        }
        out.push(FieldValue::Array(array));
    }
    Some(Record { fields: out })
}
