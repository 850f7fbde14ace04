//! Attempts at two classes that did not occur together yet.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::combos::{Combinations, Id};
use super::design::Designer;
use super::known::Known;
use crate::solve::{Choice, ChoiceSource, Choices, Vary};

/// An attempt at a pair.
pub(super) struct Attempt {
    pub source: ChoiceSource,
    pub pair: (Id, Id),
    /// Whether a value of both is given.
    pub given: bool,
}

/// Attempt number `k` at a pair. All others are drawn, or such that they occurred with both,
/// or as they were when one of the two occurred.
pub(super) fn attempt(
    known: &Known,
    pair: (Id, Id),
    k: usize,
    rng: &mut ChaCha8Rng,
    plain: &mut impl FnMut() -> ChoiceSource,
) -> Attempt {
    let (a, b) = if k.is_multiple_of(2) { pair } else { (pair.1, pair.0) };
    let none = Combinations::new(2);
    let fill = |rng: &mut ChaCha8Rng| {
        let mut target = [a, b];
        target.sort_unstable();
        Designer { known, settled: &none, rng }.fill(&target)
    };
    let (ids, give) = match k % 6 {
        0 => (fill(rng), true),
        1 => (fill(rng), false),
        5 => (vec![a, b], true),
        _ => (vec![a, b], false),
    };
    let mut source = plain().with_wishes(known.wishes(&ids, rng));
    if let (2..=4, Some(example)) = (k % 6, known.example(a, rng)) {
        let mut baseline = example.choices.clone();
        let also = known.example(b, rng).filter(|_| k % 6 == 4);
        for (name, value) in also.iter().flat_map(|sample| sample.choices.iter()) {
            if baseline.get(name).is_none() || rng.random_bool(0.5) {
                baseline.set(name, value.clone());
            }
        }
        let free = Vary::Only([known.tally.name(b).to_owned()].into());
        source = source.with_baseline(baseline).with_vary(free);
    }
    let mut given = Choices::new();
    for id in [a, b].into_iter().filter(|_| give) {
        // A list fits where its length does: that one does not says nothing.
        match known.value(id, rng) {
            Some(value) if !matches!(value, Choice::List(_)) => {
                given.set(known.tally.name(id), value.clone());
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
