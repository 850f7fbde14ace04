//! How many sets of choices a covering set must have at least.

use super::combos::{Id, each_of};
use super::known::Known;

/// So many dimensions of the most classes are looked at.
const LOOKED_AT: usize = 6;

/// A lower bound: combinations that are covered, and of which no two can be in the same
/// choices. They are those of the classes of one dimension (for triples: of two) with classes
/// of others that exclude each other, since they are of the same dimension, or were never seen
/// together.
pub(super) fn least(known: &Known) -> usize {
    let tally = &known.tally;
    let mut large: Vec<usize> = (0..tally.width()).collect();
    large.sort_by_key(|d| std::cmp::Reverse(tally.of(*d).len()));
    large.truncate(LOOKED_AT);
    large.sort_unstable();
    let mut best = 0;
    let mut base = |dimensions: &[usize]| best = best.max(with(known, dimensions));
    if tally.strength() == 2 {
        large.iter().for_each(|d| base(&[*d]));
    } else {
        each_of(&large, 2, base);
    }
    best
}

/// The bound by combinations that have a class of each of `dimensions`.
fn with(known: &Known, dimensions: &[usize]) -> usize {
    let tally = &known.tally;
    let bases = dimensions.iter().fold(vec![Vec::new()], |bases: Vec<Vec<Id>>, d| {
        let longer = |base: &Vec<Id>| -> Vec<Vec<Id>> {
            tally.of(*d).iter().map(|id| [&base[..], &[*id]].concat()).collect()
        };
        bases.iter().flat_map(longer).collect()
    });
    // How many combinations there are with a class.
    let weight = |id: Id| {
        let covered = |base: &&Vec<Id>| {
            let mut ids = [&base[..], &[id]].concat();
            ids.sort_unstable();
            tally.is_covered(&ids)
        };
        bases.iter().filter(covered).count()
    };
    let others = (0..tally.width()).filter(|d| !dimensions.contains(d));
    let mut others: Vec<(usize, Vec<(Id, usize)>)> = others
        .map(|d| {
            let all: Vec<(Id, usize)> = tally.of(d).iter().map(|id| (*id, weight(*id))).collect();
            (all.iter().map(|(_, w)| w).sum(), all)
        })
        .collect();
    others.sort_by_key(|(sum, _)| std::cmp::Reverse(*sum));
    let from = |start: usize| {
        let mut taken: Vec<Id> = Vec::new();
        let mut sum = 0;
        let rest = others.iter().enumerate().filter(|(k, _)| *k != start).map(|(_, o)| o);
        for (_, all) in std::iter::once(&others[start]).chain(rest) {
            let before = taken.len();
            for (id, weight) in all {
                if taken[..before].iter().all(|other| !known.together(*id).has(*other)) {
                    taken.push(*id);
                    sum += weight;
                }
            }
        }
        sum
    };
    (0..others.len()).map(from).max().unwrap_or(bases.len().min(1))
}
