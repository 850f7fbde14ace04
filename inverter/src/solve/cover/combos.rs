//! Sets of combinations: two or three different ids each.

/// A value class of a dimension, by the order in which they were met first.
pub type Id = usize;

/// A set of combinations of `strength` ids, which grows with them.
#[derive(Debug, Clone)]
pub struct Combinations {
    strength: usize,
    bits: Vec<u64>,
    len: usize,
}

/// The place of a combination among all, whatever the greatest id: `ids` ascend.
fn rank(ids: &[Id]) -> usize {
    match *ids {
        [a, b] => b * (b - 1) / 2 + a,
        [a, b, c] => c * (c - 1) / 2 * (c - 2) / 3 + b * (b - 1) / 2 + a,
        _ => 0,
    }
}

impl Combinations {
    /// The empty set. `strength` is 2 or 3; anything else is taken for the nearer of these.
    pub fn new(strength: usize) -> Self {
        Self { strength: strength.clamp(2, 3), bits: Vec::new(), len: 0 }
    }

    /// How many ids a combination has.
    pub fn strength(&self) -> usize {
        self.strength
    }

    /// How many combinations there are in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has these ids, which ascend.
    pub fn has(&self, ids: &[Id]) -> bool {
        let at = rank(ids);
        self.bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Puts these ids in, which ascend; whether they are new.
    pub fn insert(&mut self, ids: &[Id]) -> bool {
        let at = rank(ids);
        if self.bits.len() <= at / 64 {
            self.bits.resize((at / 64 + 1).next_power_of_two(), 0);
        }
        let word = &mut self.bits[at / 64];
        let new = *word >> (at % 64) & 1 == 0;
        *word |= 1 << (at % 64);
        self.len += usize::from(new);
        new
    }

    /// Takes these ids out, which ascend.
    pub fn remove(&mut self, ids: &[Id]) {
        let at = rank(ids);
        if self.has(ids) {
            self.bits[at / 64] &= !(1 << (at % 64));
            self.len -= 1;
        }
    }
}

/// Calls `each` with every combination of `strength` of `ids`, which ascend.
pub fn each_of(ids: &[Id], strength: usize, mut each: impl FnMut(&[Id])) {
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

/// Calls `each` with every combination of `strength` ids that has `id`, and others of `ids`,
/// which ascend and do not have it.
pub fn each_with(id: Id, ids: &[Id], strength: usize, mut each: impl FnMut(&[Id])) {
    for (k, &b) in ids.iter().enumerate() {
        if strength == 2 {
            each(&[id.min(b), id.max(b)]);
            continue;
        }
        for &a in &ids[..k] {
            // `a < b`: only the place of `id` is not known.
            each(&if id > b {
                [a, b, id]
            } else if id > a {
                [a, id, b]
            } else {
                [id, a, b]
            });
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
        ) {
            let mut set = Combinations::new(strength);
            let mut model: BTreeSet<Vec<Id>> = BTreeSet::new();
            for (ids, put) in steps {
                let ids: Vec<Id> = ids.into_iter().take(strength).collect();
                prop_assert_eq!(set.has(&ids), model.contains(&ids));
                if put {
                    prop_assert_eq!(set.insert(&ids), model.insert(ids));
                } else {
                    set.remove(&ids);
                    model.remove(&ids);
                }
                prop_assert_eq!(set.len(), model.len());
            }
        }
    }

    #[test]
    fn every_combination_is_met_once() {
        for (strength, all) in [(2, 21), (3, 35)] {
            let mut set = Combinations::new(strength);
            each_of(&[0, 1, 3, 4, 6, 8, 9], strength, |ids| assert!(set.insert(ids)));
            assert_eq!(set.len(), all);
            let mut with = 0;
            each_with(4, &[0, 1, 3, 6, 8, 9], strength, |ids| {
                assert!(set.has(ids) && ids.contains(&4) && ids.is_sorted());
                with += 1;
            });
            assert_eq!(with, if strength == 2 { 6 } else { 15 });
        }
    }
}
