//! Small canonical values to check a spec with.

use std::collections::BTreeSet;
use std::time::Instant;

use rand::{RngExt, SeedableRng};

use crate::run::explore::{Bounds, Window, any_input};
use crate::run::{Branch, Executable, Record, branches_taken, normalize_with};

/// The number of random inputs.
const TRIES: usize = 400;
/// The most elements of a value: larger ones are not small.
const LARGE: usize = 3000;

/// Returns up to `count` different small canonical values. Each is the normal form of a random small
/// input, so it has a representation. The numbers in the input are small ones, and those that the spec
/// mentions: constants, bounds of loops, sizes. Those values come first whose inputs take branches that
/// the ones before do not, or that are larger; the others follow as they were found.
pub fn small_values(inverse: &Executable, count: usize, seed: u64) -> Vec<Record> {
    small_values_until(inverse, count, seed, None)
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
    for _ in 0..TRIES {
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let bounds = Bounds { runs: 1, steps: 20_000 };
        let mut window = Window::new(&inverse.program, 3);
        let mut pick = |n| rng.random_range(0..n);
        let Some(x) = any_input(&inverse.program, &mut window, bounds, &mut pick) else { continue };
        let Ok(y) = normalize_with(inverse, &x) else { continue };
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
    out
}
