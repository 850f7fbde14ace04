//! Which combination is to be covered next.

use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::combos::{Combinations, Id, each_of};
use super::known::Known;

/// The open combinations, counted by their dimensions. Each of those of the same dimensions
/// needs choices of its own: where most are open, there is most left to do.
#[derive(Debug, Default)]
pub(super) struct Open {
    dimensions: Vec<Vec<usize>>,
    /// Of each of these, how many are open at most: it is corrected when it is looked at.
    counts: Vec<usize>,
    /// The same in order: each count with whose it is, and counts that are no more.
    ordered: BinaryHeap<(usize, usize)>,
    /// Since [`Open::lend`], the counts that were corrected, as they were before.
    lent: Option<Vec<(usize, usize)>>,
    /// What they were made of: [`Known::news`].
    news: Option<u64>,
}

impl Open {
    /// Counts anew, if classes occurred together that did not before.
    pub fn look(&mut self, known: &Known, settled: &Combinations) {
        if self.news == Some(known.news()) {
            return;
        }
        self.news = Some(known.news());
        let all: Vec<usize> = (0..known.tally.width()).collect();
        let classes: Vec<FixedBitSet> =
            all.iter().map(|d| known.tally.of(*d).iter().copied().collect()).collect();
        self.dimensions.clear();
        self.counts.clear();
        each_of(&all, settled.strength(), |dimensions| {
            let count = count(dimensions, &classes, known, settled);
            if count > 0 {
                self.dimensions.push(dimensions.to_vec());
                self.counts.push(count);
            }
        });
        self.ordered = self.counts.iter().copied().zip(0..).collect();
    }

    /// From now on, some are taken for settled that may not be.
    pub fn lend(&mut self) {
        self.lent.get_or_insert_default();
    }

    /// No more.
    pub fn restore(&mut self) {
        // The first to be corrected is the last to go back.
        for (count, at) in self.lent.take().into_iter().flatten().rev() {
            self.counts[at] = count;
            self.ordered.push((count, at));
        }
    }

    /// An open combination, of which each two classes occurred together: of the dimensions
    /// that have most of them. None if there is none.
    pub fn target(
        &mut self,
        known: &Known,
        settled: &Combinations,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<Id>> {
        while let Some((count, at)) = self.ordered.pop() {
            if self.counts[at] != count {
                continue;
            }
            let all = open_of(&self.dimensions[at], known, settled);
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

/// How many open combinations there are of these dimensions, which have these `classes`.
fn count(
    dimensions: &[usize],
    classes: &[FixedBitSet],
    known: &Known,
    settled: &Combinations,
) -> usize {
    let Some((last, others)) = dimensions.split_last() else { return 0 };
    let open = |ids: &[Id]| {
        let mut left = classes[*last].clone();
        ids.iter().for_each(|id| left.intersect_with(known.together(*id)));
        settled.row(ids).map_or_else(|| left.count_ones(..), |row| left.difference_count(row))
    };
    match *others {
        [one] => known.tally.of(one).iter().map(|a| open(&[*a])).sum(),
        [one, other] => {
            let pairs = known.tally.of(one).iter().flat_map(|a| {
                let fits = |b: &&Id| known.together(*a).contains(**b);
                known.tally.of(other).iter().filter(fits).map(|b| open(&[*a, *b]))
            });
            pairs.sum()
        }
        _ => 0,
    }
}

/// The open combinations of these dimensions.
fn open_of(dimensions: &[usize], known: &Known, settled: &Combinations) -> Vec<Vec<Id>> {
    let mut found = all_of(dimensions, known);
    found.retain(|ids| !settled.has(ids));
    found
}

/// The combinations of these dimensions' classes of which each two occurred together.
pub(super) fn all_of(dimensions: &[usize], known: &Known) -> Vec<Vec<Id>> {
    let mut found: Vec<Vec<Id>> = vec![Vec::new()];
    for dimension in dimensions {
        let longer = |ids: &Vec<Id>| -> Vec<Vec<Id>> {
            let fits = |id: &Id| ids.iter().all(|other| known.together(*other).contains(*id));
            let with = |id: &Id| {
                let mut ids = ids.clone();
                ids.push(*id);
                ids
            };
            known.tally.of(*dimension).iter().filter(|id| fits(id)).map(with).collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.iter_mut().for_each(|ids| ids.sort_unstable());
    found
}
