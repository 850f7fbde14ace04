//! Sets of combinations of two or three different ids, stored as rows of bit sets.

use fixedbitset::FixedBitSet;

/// A value class of a dimension, numbered in the order of first occurrence.
pub type ClassId = usize;

/// A growable set of combinations of `strength` ids.
#[derive(Debug, Clone)]
pub struct Combinations {
    strength: usize,
    /// The third (or second) ids that complete a combination, indexed by the other two in either order (for pairs, by
    /// the other one and 0).
    rows: Vec<Vec<FixedBitSet>>,
    len: usize,
}

impl Combinations {
    /// The empty set. `strength` is clamped to 2 or 3.
    pub fn new(strength: usize) -> Self {
        Self { strength: strength.clamp(2, 3), rows: Vec::new(), len: 0 }
    }

    /// The number of ids in a combination.
    pub fn strength(&self) -> usize {
        self.strength
    }

    /// The number of combinations in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the set contains the combination of these ids, which must ascend.
    pub fn has(&self, ids: &[ClassId]) -> bool {
        let Some((last, others)) = ids.split_last() else { return false };
        self.row(others).is_some_and(|row| row.contains(*last))
    }

    /// Adds the combination of these ids, which must ascend. Returns true if it is new.
    pub fn insert(&mut self, ids: &[ClassId]) -> bool {
        let new = !self.has(ids);
        if new {
            self.len += 1;
            orders(ids, |others, last| self.row_mut(others).grow_and_insert(last));
        }
        new
    }

    /// Removes the combination of these ids, which must ascend.
    pub fn remove(&mut self, ids: &[ClassId]) {
        if self.has(ids) {
            self.len -= 1;
            orders(ids, |others, last| self.row_mut(others).set(last, false));
        }
    }

    /// The number of combinations of `id` with `others`, which must not contain it, that are not in
    /// the set.
    pub fn missing_with(&self, id: ClassId, others: &FixedBitSet) -> usize {
        let missing = |row: Option<&FixedBitSet>| match row {
            Some(row) => others.difference_count(row),
            None => others.count_ones(..),
        };
        if self.strength == 2 {
            return missing(self.row(&[id]));
        }
        // Each combination is counted once from each of its two other ids, and each other id is counted once with
        // itself.
        let twice: usize = others.ones().map(|other| missing(self.row(&[id, other]))).sum();
        (twice - others.count_ones(..)) / 2
    }

    /// The number of combinations of `ids` that are not in the set.
    pub fn missing_of(&self, ids: &[ClassId]) -> usize {
        let mut before = FixedBitSet::new();
        let with_those_before = |id: &ClassId| {
            let missing = self.missing_with(*id, &before);
            before.grow_and_insert(*id);
            missing
        };
        ids.iter().map(with_those_before).sum()
    }

    /// The combinations of `ids`, which must ascend, that are not in the set.
    pub fn missing(&self, ids: &[ClassId]) -> Vec<Vec<ClassId>> {
        let mut out = Vec::new();
        let mut find = |others: &[ClassId], before: &FixedBitSet| {
            let mut found = |id: ClassId| {
                let mut ids = vec![id];
                ids.extend(others.iter().rev());
                out.push(ids);
            };
            match self.row(others) {
                Some(row) => before.difference(row).for_each(&mut found),
                None => before.ones().for_each(&mut found),
            }
        };
        for (k, &c) in ids.iter().enumerate() {
            let mut before = FixedBitSet::with_capacity(c);
            for &b in &ids[..k] {
                if self.strength == 3 {
                    find(&[c, b], &before);
                }
                before.insert(b);
            }
            if self.strength == 2 {
                find(&[c], &before);
            }
        }
        out
    }

    /// The ids that complete `others` to a combination in the set.
    pub fn row(&self, others: &[ClassId]) -> Option<&FixedBitSet> {
        match *others {
            [a] => self.rows.get(a)?.first(),
            [a, b] => self.rows.get(a)?.get(b),
            _ => None,
        }
    }

    fn row_mut(&mut self, others: &[ClassId]) -> &mut FixedBitSet {
        let (a, b) = (others[0], others.get(1).copied().unwrap_or(0));
        if self.rows.len() <= a {
            self.rows.resize_with(a + 1, Vec::new);
        }
        let rows = &mut self.rows[a];
        if rows.len() <= b {
            rows.resize_with(b + 1, FixedBitSet::new);
        }
        &mut rows[b]
    }
}

/// Calls `each` with all ways to split a combination into the ids of a row and one bit of it.
fn orders(ids: &[ClassId], mut each: impl FnMut(&[ClassId], ClassId)) {
    match *ids {
        [a, b] => {
            each(&[a], b);
            each(&[b], a);
        }
        [a, b, c] => {
            for (a, b, c) in [(a, b, c), (a, c, b), (b, c, a)] {
                each(&[a, b], c);
                each(&[b, a], c);
            }
        }
        _ => {}
    }
}

/// Calls `each` with every combination of `strength` of `ids`, which must ascend.
pub fn each_of(ids: &[ClassId], strength: usize, mut each: impl FnMut(&[ClassId])) {
    for (k, &c) in ids.iter().enumerate() {
        for (l, &b) in ids[..k].iter().enumerate() {
            if strength == 2 {
                each(&[b, c]);
            } else {
                ids[..l].iter().for_each(|&a| each(&[a, b, c]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(
            strength in 2usize..=3,
            steps in prop::collection::vec((prop::collection::btree_set(0usize..20, 3), any::<bool>()), 1..80),
            ids in prop::collection::btree_set(0usize..22, 1..9),
        ) {
            let mut set = Combinations::new(strength);
            let mut model: BTreeSet<Vec<ClassId>> = BTreeSet::new();
            for (ids, put) in steps {
                let ids: Vec<ClassId> = ids.into_iter().take(strength).collect();
                prop_assert_eq!(set.has(&ids), model.contains(&ids));
                if put {
                    prop_assert_eq!(set.insert(&ids), model.insert(ids));
                } else {
                    set.remove(&ids);
                    model.remove(&ids);
                }
                prop_assert_eq!(set.len(), model.len());
            }
            let ids: Vec<ClassId> = ids.into_iter().collect();
            let mut missing = Vec::new();
            each_of(&ids, strength, |ids| {
                if !model.contains(ids) {
                    missing.push(ids.to_vec());
                }
            });
            prop_assert_eq!(set.missing_of(&ids), missing.len());
            prop_assert_eq!(set.missing(&ids), missing.clone());
            for id in &ids {
                let mut others: FixedBitSet = ids.iter().copied().collect();
                others.set(*id, false);
                let with = missing.iter().filter(|m| m.contains(id)).count();
                prop_assert_eq!(set.missing_with(*id, &others), with);
            }
        }
    }

    #[test]
    fn every_combination_is_visited_once() {
        for (strength, all) in [(2, 21), (3, 35)] {
            let mut set = Combinations::new(strength);
            each_of(&[0, 1, 3, 4, 6, 8, 9], strength, |ids| assert!(set.insert(ids)));
            assert_eq!(set.len(), all);
        }
    }
}
