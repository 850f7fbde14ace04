//! Which combination is to be covered next.

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
        self.dimensions.clear();
        self.counts.clear();
        each_of(&all, settled.strength(), |dimensions| {
            let count = open_of(dimensions, known, settled).len();
            if count > 0 {
                self.dimensions.push(dimensions.to_vec());
                self.counts.push(count);
            }
        });
    }

    /// The counts, to go back to when what was taken for settled is not.
    pub fn counts(&self) -> Vec<usize> {
        self.counts.clone()
    }

    /// Goes back to counts.
    pub fn restore(&mut self, counts: Vec<usize>) {
        self.counts = counts;
    }

    /// An open combination, of which each two classes occurred together: of the dimensions
    /// that have most of them. None if there is none.
    pub fn target(
        &mut self,
        known: &Known,
        settled: &Combinations,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<Id>> {
        loop {
            let at = (0..self.counts.len()).max_by_key(|k| self.counts[*k])?;
            if self.counts[at] == 0 {
                return None;
            }
            let all = open_of(&self.dimensions[at], known, settled);
            self.counts[at] = all.len();
            if !all.is_empty() && self.counts.iter().all(|n| *n <= all.len()) {
                return all.get(rng.random_range(0..all.len())).cloned();
            }
        }
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
            let fits = |id: &Id| ids.iter().all(|other| known.together(*other).has(*id));
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
