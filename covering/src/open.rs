//! Selects the combination to be covered next, from the dimensions with the most open combinations.

use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::combinations::{ClassId, Combinations, each_of};
use crate::observations::Observations;

/// The open combinations, counted by their dimensions. Combinations of the same dimensions each need a separate row, so
/// the dimensions with the most open ones have the most left to do.
#[derive(Debug, Default)]
pub(crate) struct OpenCombinations {
    dimensions: Vec<Vec<usize>>,
    /// For each set of dimensions, an upper bound on the number of open combinations, which is corrected when it is
    /// used.
    counts: Vec<usize>,
    /// A priority queue of (count, index into `dimensions`), with outdated entries.
    ordered: BinaryHeap<(usize, usize)>,
    /// The counts corrected since [`OpenCombinations::lend`], with their old values.
    lent: Option<Vec<(usize, usize)>>,
    /// The value of [`Observations::news`] when the combinations were counted.
    news: Option<u64>,
}

impl OpenCombinations {
    /// Counts again if classes have occurred together for the first time since the last count.
    pub fn look(&mut self, observed: &Observations, settled: &Combinations) {
        if self.news == Some(observed.news()) {
            return;
        }
        self.news = Some(observed.news());
        let all: Vec<usize> = (0..observed.tally.width()).collect();
        let classes: Vec<FixedBitSet> =
            all.iter().map(|d| observed.tally.of(*d).iter().copied().collect()).collect();
        self.dimensions.clear();
        self.counts.clear();
        each_of(&all, settled.strength(), |dimensions| {
            let count = count(dimensions, &classes, observed, settled);
            if count > 0 {
                self.dimensions.push(dimensions.to_vec());
                self.counts.push(count);
            }
        });
        self.ordered = self.counts.iter().copied().zip(0..).collect();
    }

    /// Starts a phase in which some combinations that may be open count as settled.
    pub fn lend(&mut self) {
        self.lent.get_or_insert_default();
    }

    /// Ends the phase that `lend` started, and restores the counts.
    pub fn restore(&mut self) {
        // Undo the corrections in reverse order.
        for (count, at) in self.lent.take().into_iter().flatten().rev() {
            self.counts[at] = count;
            self.ordered.push((count, at));
        }
    }

    /// An open combination whose classes pairwise occurred together, from the dimensions with the most open
    /// combinations. `None` if there is none.
    pub fn target(
        &mut self,
        observed: &Observations,
        settled: &Combinations,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<ClassId>> {
        while let Some((count, at)) = self.ordered.pop() {
            if self.counts[at] != count {
                continue;
            }
            let all = open_of(&self.dimensions[at], observed, settled);
            if all.len() < count {
                self.counts[at] = all.len();
                self.lent.iter_mut().for_each(|lent| lent.push((count, at)));
            }
            if all.is_empty() {
                continue;
            }
            self.ordered.push((all.len(), at));
            if self.ordered.peek().is_some_and(|most| most.0 <= all.len()) {
                return all.get(rng.random_range(0..all.len())).cloned();
            }
        }
        None
    }
}

/// Counts the open combinations of these dimensions; `classes` are the classes of all dimensions.
fn count(
    dimensions: &[usize],
    classes: &[FixedBitSet],
    observed: &Observations,
    settled: &Combinations,
) -> usize {
    let Some((last, others)) = dimensions.split_last() else { return 0 };
    let open = |ids: &[ClassId]| {
        let mut left = classes[*last].clone();
        ids.iter().for_each(|id| left.intersect_with(observed.together(*id)));
        settled.row(ids).map_or_else(|| left.count_ones(..), |row| left.difference_count(row))
    };
    match *others {
        [one] => observed.tally.of(one).iter().map(|a| open(&[*a])).sum(),
        [one, other] => {
            let pairs = observed.tally.of(one).iter().flat_map(|a| {
                let fits = |b: &&ClassId| observed.together(*a).contains(**b);
                observed.tally.of(other).iter().filter(fits).map(|b| open(&[*a, *b]))
            });
            pairs.sum()
        }
        _ => 0,
    }
}

/// The open combinations of these dimensions.
fn open_of(
    dimensions: &[usize],
    observed: &Observations,
    settled: &Combinations,
) -> Vec<Vec<ClassId>> {
    let mut found = all_of(dimensions, observed);
    found.retain(|ids| !settled.has(ids));
    found
}

/// The combinations of these dimensions' classes that pairwise occurred together, open or not.
pub(crate) fn all_of(dimensions: &[usize], observed: &Observations) -> Vec<Vec<ClassId>> {
    let mut found: Vec<Vec<ClassId>> = vec![Vec::new()];
    for dimension in dimensions {
        let longer = |ids: &Vec<ClassId>| -> Vec<Vec<ClassId>> {
            let fits =
                |id: &ClassId| ids.iter().all(|other| observed.together(*other).contains(*id));
            let with = |id: &ClassId| {
                let mut ids = ids.clone();
                ids.push(*id);
                ids
            };
            observed.tally.of(*dimension).iter().filter(|id| fits(id)).map(with).collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.iter_mut().for_each(|ids| ids.sort_unstable());
    found
}
