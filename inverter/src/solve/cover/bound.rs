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
    let others: Vec<Vec<(Id, usize)>> = (0..tally.width())
        .filter(|d| !dimensions.contains(d))
        .map(|d| tally.of(d).iter().map(|id| (*id, weight(*id))).collect())
        .collect();
    let sum = |taken: &[(Id, usize)]| taken.iter().map(|(_, weight)| weight).sum::<usize>();
    let apart = |a: Id, b: Id| a != b && !known.together(a).contains(b);
    let from = |start: &Vec<(Id, usize)>| {
        let mut taken = start.clone();
        // A dimension's classes in the place of those that they do not exclude, while that
        // makes it more.
        loop {
            let before = sum(&taken);
            for all in &others {
                let new = |id: Id| taken.iter().all(|(other, _)| *other != id);
                let all: Vec<_> = all.iter().filter(|(id, _)| new(*id)).copied().collect();
                let stays = |other: Id| all.iter().all(|(id, _)| apart(*id, other));
                let mut other: Vec<_> =
                    taken.iter().filter(|(id, _)| stays(*id)).copied().collect();
                other.extend(&all);
                // Or just those that exclude all that is there.
                let fits = |id: Id| taken.iter().all(|(other, _)| apart(id, *other));
                let some: Vec<_> = all.iter().filter(|(id, _)| fits(*id)).copied().collect();
                if sum(&other) > sum(&taken) + sum(&some) {
                    taken = other;
                } else {
                    taken.extend(some);
                }
            }
            if sum(&taken) == before {
                return before;
            }
        }
    };
    others.iter().map(from).max().unwrap_or(bases.len().min(1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::solve::{Choices, value_class};

    /// Codings with a dimension of their own each: together these are one of 3 + 2 + 1 classes.
    #[test]
    fn dimensions_that_exclude_each_other_count_together() {
        let mut known = Known::new(2, Arc::new(value_class));
        for turn in 1..=4 {
            for (coding, own) in [(0, 3), (1, 2), (2, 0)] {
                for value in 0..own.max(1) {
                    let mut choices = Choices::new();
                    choices.set("turn", turn);
                    choices.set("coding", coding);
                    if own > 0 {
                        choices.set(&format!("of {coding}"), value);
                    }
                    known.keep(&choices);
                    known.learn(choices);
                }
            }
        }
        assert_eq!(known.tally.largest().1, 12);
        assert_eq!(least(&known), 4 * (3 + 2 + 1));
    }
}
