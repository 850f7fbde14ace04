//! Designs rows: one class of each dimension, chosen greedily with random restarts so that many
//! open combinations are covered.

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::combinations::{ClassId, Combinations};
use crate::observations::Observations;

/// The number of designs compared, for pairs and for triples.
const DESIGNS: [usize; 2] = [24, 4];

/// The number of passes that reconsider each dimension of a design.
const PASSES: usize = 2;

/// A class of each dimension where possible; the classes have pairwise occurred together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Design {
    /// The classes, ascending.
    pub ids: Vec<ClassId>,
    /// The number of open combinations that it would cover.
    pub gain: usize,
}

/// Makes designs.
pub(crate) struct Designer<'a> {
    /// The classes, and which of them occurred together.
    pub observed: &'a Observations,
    /// Combinations that need no row, because they are covered or were given up.
    pub settled: &'a Combinations,
    /// The generator of all randomness.
    pub rng: &'a mut ChaCha8Rng,
}

impl Designer<'_> {
    /// The best of a few designs that contain `target`, whose ids ascend.
    pub fn best(&mut self, target: &[ClassId]) -> Design {
        let count = DESIGNS[self.settled.strength() - 2];
        let mut best = Design::default();
        for _ in 0..count {
            let design = self.one(target);
            if best.ids.is_empty() || design.gain > best.gain {
                best = design;
            }
        }
        best
    }

    /// An open combination of these ids.
    pub fn some_open(&self, ids: &[ClassId]) -> Option<Vec<ClassId>> {
        self.settled.missing(ids).into_iter().next()
    }

    /// `target` with some class of every other dimension that is possible with it.
    pub fn fill(&mut self, target: &[ClassId]) -> Vec<ClassId> {
        let mut order = self.others(target);
        order.shuffle(self.rng);
        self.extend(target, &order).ones().collect()
    }

    fn others(&self, target: &[ClassId]) -> Vec<usize> {
        let tally = &self.observed.tally;
        let is_free = |d: &usize| target.iter().all(|id| tally.dimension(*id) != *d);
        (0..tally.width()).filter(is_free).collect()
    }

    fn extend(&mut self, target: &[ClassId], order: &[usize]) -> FixedBitSet {
        let mut chosen = FixedBitSet::with_capacity(self.observed.tally.classes());
        target.iter().for_each(|id| chosen.insert(*id));
        let mut allowed = self.allowed(&chosen);
        for dimension in order {
            if let Some((id, _)) = self.pick(*dimension, &chosen, &allowed) {
                chosen.insert(id);
                allowed.intersect_with(self.observed.together(id));
            }
        }
        chosen
    }

    /// The classes that occurred together with every class in `chosen`.
    fn allowed(&self, chosen: &FixedBitSet) -> FixedBitSet {
        let mut allowed = FixedBitSet::with_capacity(self.observed.tally.classes());
        allowed.insert_range(..);
        chosen.ones().for_each(|id| allowed.intersect_with(self.observed.together(id)));
        allowed
    }

    /// One design that contains `target`: chooses dimensions in a random order, then reconsiders each of them when all
    /// others are known.
    pub fn one(&mut self, target: &[ClassId]) -> Design {
        let mut order = self.others(target);
        order.shuffle(self.rng);
        let mut chosen = self.extend(target, &order);
        for _ in 0..PASSES {
            let mut changed = false;
            order.shuffle(self.rng);
            for dimension in &order {
                changed |= self.improve(*dimension, &mut chosen);
            }
            if !changed {
                break;
            }
        }
        let ids: Vec<ClassId> = chosen.ones().collect();
        let gain = self.settled.missing_of(&ids);
        Design { ids, gain }
    }

    /// Replaces a dimension's class if another class covers more. Returns true if it did.
    fn improve(&mut self, dimension: usize, chosen: &mut FixedBitSet) -> bool {
        let classes = self.observed.tally.of(dimension);
        let old = classes.iter().copied().find(|id| chosen.contains(*id));
        old.into_iter().for_each(|id| chosen.remove(id));
        let allowed = self.allowed(chosen);
        let before = old.map(|id| self.settled.missing_with(id, chosen));
        let new = self.pick(dimension, chosen, &allowed);
        let better = new.filter(|(_, gain)| before.is_none_or(|before| *gain > before));
        let id = better.map(|(id, _)| id).or(old);
        id.into_iter().for_each(|id| chosen.insert(id));
        id != old
    }

    /// The `allowed` class of a dimension that covers the most together with `chosen`, and its gain. Ties are broken at
    /// random.
    fn pick(
        &mut self,
        dimension: usize,
        chosen: &FixedBitSet,
        allowed: &FixedBitSet,
    ) -> Option<(ClassId, usize)> {
        let mut best: Option<(ClassId, usize)> = None;
        let mut ties = 0;
        for &id in self.observed.tally.of(dimension) {
            if !allowed.contains(id) {
                continue;
            }
            let gain = self.settled.missing_with(id, chosen);
            match best {
                Some((_, most)) if gain < most => continue,
                Some((_, most)) if gain == most => ties += 1,
                _ => ties = 1,
            }
            if self.rng.random_range(0..ties) == 0 {
                best = Some((id, gain));
            }
        }
        best
    }
}
