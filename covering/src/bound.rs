//! A lower bound on the number of rows of a covering array.

use crate::combinations::{ClassId, each_of};
use crate::observations::Observations;

/// The number of dimensions that are considered for the bound: those with the most classes.
const LOOKED_AT: usize = 6;

/// Returns the size of a set of covered combinations of which no two fit in one row. They combine the classes of one
/// dimension (for triples, of two dimensions) with classes of other dimensions that exclude each other, because they
/// belong to one dimension or never occurred together.
pub(crate) fn lower_bound(observed: &Observations) -> usize {
    let tally = &observed.tally;
    let mut large: Vec<usize> = (0..tally.width()).collect();
    large.sort_by_key(|d| std::cmp::Reverse(tally.of(*d).len()));
    large.truncate(LOOKED_AT);
    large.sort_unstable();
    let mut best = 0;
    let mut base = |dimensions: &[usize]| best = best.max(with(observed, dimensions));
    if tally.strength() == 2 {
        large.iter().for_each(|d| base(&[*d]));
    } else {
        each_of(&large, 2, base);
    }
    best
}

/// The bound from combinations that have a class of each of `dimensions`.
fn with(observed: &Observations, dimensions: &[usize]) -> usize {
    let tally = &observed.tally;
    let bases = dimensions.iter().fold(vec![Vec::new()], |bases: Vec<Vec<ClassId>>, d| {
        let longer = |base: &Vec<ClassId>| -> Vec<Vec<ClassId>> {
            tally.of(*d).iter().map(|id| [&base[..], &[*id]].concat()).collect()
        };
        bases.iter().flat_map(longer).collect()
    });
    // The number of combinations that contain a class.
    let weight = |id: ClassId| {
        let covered = |base: &&Vec<ClassId>| {
            let mut ids = [&base[..], &[id]].concat();
            ids.sort_unstable();
            tally.is_covered(&ids)
        };
        bases.iter().filter(covered).count()
    };
    let others: Vec<Vec<(ClassId, usize)>> = (0..tally.width())
        .filter(|d| !dimensions.contains(d))
        .map(|d| tally.of(d).iter().map(|id| (*id, weight(*id))).collect())
        .collect();
    let sum = |taken: &[(ClassId, usize)]| taken.iter().map(|(_, weight)| weight).sum::<usize>();
    let apart = |a: ClassId, b: ClassId| a != b && !observed.together(a).contains(b);
    let from = |start: &Vec<(ClassId, usize)>| {
        let mut taken = start.clone();
        // Replaces classes by those of a dimension that do not exclude them, while the sum grows.
        loop {
            let before = sum(&taken);
            for all in &others {
                let new = |id: ClassId| taken.iter().all(|(other, _)| *other != id);
                let all: Vec<_> = all.iter().filter(|(id, _)| new(*id)).copied().collect();
                let stays = |other: ClassId| all.iter().all(|(id, _)| apart(*id, other));
                let mut other: Vec<_> =
                    taken.iter().filter(|(id, _)| stays(*id)).copied().collect();
                other.extend(&all);
                // Alternatively, add just those that exclude all classes taken so far.
                let fits = |id: ClassId| taken.iter().all(|(other, _)| apart(id, *other));
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
    use inverter::solve::{Choices, value_class};

    /// Codings with a separate dimension each, which count together as one of 3 + 2 + 1 classes.
    #[test]
    fn dimensions_that_exclude_each_other_count_together() {
        let mut observed = Observations::new(2, Arc::new(value_class));
        for turn in 1..=4 {
            for (coding, own) in [(0, 3), (1, 2), (2, 0)] {
                for value in 0..own.max(1) {
                    let mut choices = Choices::new();
                    choices.set("turn", turn);
                    choices.set("coding", coding);
                    if own > 0 {
                        choices.set(format!("of {coding}"), value);
                    }
                    observed.keep(&choices);
                    observed.learn(choices);
                }
            }
        }
        assert_eq!(observed.tally.largest_product().1, 12);
        assert_eq!(lower_bound(&observed), 4 * (3 + 2 + 1));
    }
}
