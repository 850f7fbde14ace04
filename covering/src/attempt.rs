//! Attempts to combine two classes that have not occurred together yet. Each attempt is a choice
//! source that gives or prefers values of both.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::combinations::{ClassId, Combinations};
use crate::design::Designer;
use crate::observations::Observations;
use crate::sources::Sources;
use inverter::solve::{Choice, ChoiceSource, Choices, Vary};

/// An attempt at a pair of classes.
pub(crate) struct Attempt {
    /// The source to be tried.
    pub source: ChoiceSource,
    /// The pair.
    pub pair: (ClassId, ClassId),
    /// True if values of both classes are given rather than only preferred.
    pub given: bool,
}

/// Attempt number `k` at a pair. Other dimensions are drawn, take classes that occurred with both, or keep the values
/// that they had when one of the two occurred.
pub(crate) fn attempt(
    observed: &Observations,
    pair: (ClassId, ClassId),
    k: usize,
    rng: &mut ChaCha8Rng,
    sources: &mut Sources,
) -> Attempt {
    let (a, b) = if k.is_multiple_of(2) { pair } else { (pair.1, pair.0) };
    let none = Combinations::new(2);
    let fill = |rng: &mut ChaCha8Rng| {
        let mut target = [a, b];
        target.sort_unstable();
        Designer { observed, settled: &none, rng }.fill(&target)
    };
    let (ids, give) = match k % 6 {
        0 => (fill(rng), true),
        1 => (fill(rng), false),
        5 => (vec![a, b], true),
        _ => (vec![a, b], false),
    };
    let mut source = sources.next().with_soft_constraints(observed.soft_constraints(&ids, rng));
    if let (2..=4, Some(example)) = (k % 6, observed.example(a, rng)) {
        let mut baseline = example.choices.clone();
        let also = observed.example(b, rng).filter(|_| k % 6 == 4);
        for (name, value) in also.iter().flat_map(|sample| sample.choices.iter()) {
            if baseline.get(name).is_none() || rng.random_bool(0.5) {
                baseline.set(name, value.clone());
            }
        }
        let free = Vary::only([observed.tally.dimension_id(b)]);
        source = source.with_baseline(baseline).with_vary(free);
    }
    let mut given = Choices::new();
    for id in [a, b].into_iter().filter(|_| give) {
        // A list fits only a file in which it has the right length, so a refusal proves nothing.
        match observed.value(id, rng) {
            Some(value) if !matches!(value, Choice::List(_)) => {
                given.set(observed.tally.name(id), value.clone());
            }
            _ => {}
        }
    }
    let both = given.len() == 2;
    if both {
        source = source.with_given(given);
    }
    Attempt { source, pair, given: both }
}
