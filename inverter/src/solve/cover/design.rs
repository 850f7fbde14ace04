//! What next choices are wished to be: one class of each dimension, such that they cover
//! many combinations that are still open.

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::combos::{Combinations, Id};
use super::known::Known;

/// How many designs are weighed against each other, for pairs and for triples.
const DESIGNS: [usize; 2] = [24, 4];

/// How often each dimension of a design is thought over.
const PASSES: usize = 2;

/// A class of every dimension that can be, each two of which occurred together.
#[derive(Debug, Clone, Default)]
pub(super) struct Design {
    /// They ascend.
    pub ids: Vec<Id>,
    /// How many open combinations it would cover.
    pub gain: usize,
}

/// Makes designs.
pub(super) struct Designer<'a> {
    pub known: &'a Known,
    /// What need not be covered: it is, or it was given up.
    pub settled: &'a Combinations,
    pub rng: &'a mut ChaCha8Rng,
}

impl Designer<'_> {
    /// The best of a few designs that have `target`, whose ids ascend.
    pub fn best(&mut self, target: &[Id]) -> Design {
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
    pub fn some_open(&self, ids: &[Id]) -> Option<Vec<Id>> {
        self.settled.missing(ids).into_iter().next()
    }

    /// `target` with any class of every other dimension that can be with it.
    pub fn fill(&mut self, target: &[Id]) -> Vec<Id> {
        let mut order = self.others(target);
        order.shuffle(self.rng);
        self.extend(target, &order).ones().collect()
    }

    fn others(&self, target: &[Id]) -> Vec<usize> {
        let tally = &self.known.tally;
        let is_free = |d: &usize| target.iter().all(|id| tally.dimension(*id) != *d);
        (0..tally.width()).filter(is_free).collect()
    }

    fn extend(&mut self, target: &[Id], order: &[usize]) -> FixedBitSet {
        let mut chosen = FixedBitSet::with_capacity(self.known.tally.classes());
        target.iter().for_each(|id| chosen.insert(*id));
        let mut allowed = self.allowed(&chosen);
        for dimension in order {
            if let Some((id, _)) = self.pick(*dimension, &chosen, &allowed) {
                chosen.insert(id);
                allowed.intersect_with(self.known.together(id));
            }
        }
        chosen
    }

    /// The classes that occurred together with each of those `chosen`.
    fn allowed(&self, chosen: &FixedBitSet) -> FixedBitSet {
        let mut allowed = FixedBitSet::with_capacity(self.known.tally.classes());
        allowed.insert_range(..);
        chosen.ones().for_each(|id| allowed.intersect_with(self.known.together(id)));
        allowed
    }

    /// One class after the other, in a random order of dimensions; then each once more, with
    /// all others known.
    pub fn one(&mut self, target: &[Id]) -> Design {
        let mut order = self.others(target);
        order.shuffle(self.rng);
        let mut chosen = self.extend(target, &order);
        for _ in 0..PASSES {
            let mut changed = false;
            order.shuffle(self.rng);
            for dimension in &order {
                changed |= self.again(*dimension, &mut chosen);
            }
            if !changed {
                break;
            }
        }
        let ids: Vec<Id> = chosen.ones().collect();
        let gain = self.settled.missing_of(&ids);
        Design { ids, gain }
    }

    /// Chooses a dimension's class anew, if another covers more.
    fn again(&mut self, dimension: usize, chosen: &mut FixedBitSet) -> bool {
        let classes = self.known.tally.of(dimension);
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

    /// The class of a dimension that covers most together with `chosen`, of those that are
    /// `allowed`; one of the best at random.
    fn pick(
        &mut self,
        dimension: usize,
        chosen: &FixedBitSet,
        allowed: &FixedBitSet,
    ) -> Option<(Id, usize)> {
        let mut best: Option<(Id, usize)> = None;
        let mut ties = 0;
        for &id in self.known.tally.of(dimension) {
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
