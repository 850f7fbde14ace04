//! Choices that are designed, made, and kept or given up.

use std::sync::Arc;

use rand::RngExt;

use super::combos::Id;
use super::design::{Design, Designer};
use super::known::Sample;
use super::{Cover, Gap, How, Kept, PATIENCE};
use crate::solve::{ChoiceSource, Choices, Vary};

/// How many are designed at once, each as if those before it came out as they were designed.
const DESIGNED: usize = 8;

/// How often three classes are aimed at before they are given up; and where so many of the same
/// dimensions were given up that one more will hardly be found.
const TRIES: usize = 5;
const HARDLY: (usize, usize) = (3, 2);

impl Cover {
    /// Designs some choices, has them made, and puts those into the queue that came out well.
    /// False if nothing is open.
    pub(super) fn design<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<bool, E> {
        let designs = if self.in_a_row < PATIENCE { self.designs() } else { Vec::new() };
        if designs.is_empty() {
            return Ok(false);
        }
        let sources: Vec<ChoiceSource> =
            designs.iter().map(|(target, design)| self.wishing(target, design)).collect();
        let made = make(sources.clone())?;
        for (((target, design), source), made) in designs.into_iter().zip(sources).zip(made) {
            let choices = match made {
                Ok(choices) => choices,
                Err(why) => {
                    self.fail(&target, &why);
                    continue;
                }
            };
            let sample = self.known.learn(choices);
            let gain = self.settled.missing_of(&sample.ids);
            let hit = sample.has(&target);
            if gain > 0 && (hit || 2 * gain > design.gain) {
                self.put(source, &sample);
            }
            if hit {
                self.in_vain.remove(&self.dimensions(&target));
            } else {
                self.fail(&target, "attempts came out otherwise");
            }
        }
        Ok(true)
    }

    /// Combinations to aim at, and what to wish for with each.
    fn designs(&mut self) -> Vec<(Vec<Id>, Design)> {
        self.open.look(&self.known, &self.settled);
        let mut designs = Vec::new();
        // As if it was covered, until it is known.
        let mut lent: Vec<Vec<Id>> = Vec::new();
        for _ in 0..DESIGNED {
            let target = self.open.target(&self.known, &self.settled, &mut self.rng);
            let Some(mut target) = target else { break };
            let mut designer =
                Designer { known: &self.known, settled: &self.settled, rng: &mut self.rng };
            // Of three, half of it is wished for where the target failed before: any will do.
            let any = target.len() == 3 && self.failed.contains_key(&target);
            let mut design = if any { designer.one(&target) } else { designer.best(&target) };
            if self.settings.most < usize::MAX {
                // Not all will be covered: rather the most now than the least in all.
                let free = designer.best(&[]);
                if let Some(open) =
                    designer.some_open(&free.ids).filter(|_| free.gain > design.gain)
                {
                    (target, design) = (open, free);
                }
            }
            let open = self.settled.missing(&design.ids);
            for ids in &open {
                self.settled.insert(ids);
            }
            lent.extend(open);
            self.open.lend();
            designs.push((target, design));
        }
        lent.iter().for_each(|ids| self.settled.remove(ids));
        self.open.restore();
        designs
    }

    /// A source that wishes for a design. Where its target did not come out before, all else
    /// is as it was when it did, but for half of the design; or at random, if it never did.
    fn wishing(&mut self, target: &[Id], design: &Design) -> ChoiceSource {
        let plain = self.plain();
        if !self.failed.contains_key(target) {
            return plain.with_wishes(self.known.wishes(&design.ids, &mut self.rng));
        }
        let Some(witness) = self.known.witness(target).cloned() else {
            return plain.with_wishes(self.known.wishes(target, &mut self.rng));
        };
        let mut ids = design.ids.clone();
        ids.retain(|id| !target.contains(id) && self.rng.random_bool(0.5));
        let source = plain.with_wishes(self.known.wishes(&ids, &mut self.rng));
        source.with_baseline(witness.choices.clone()).with_vary(Vary::Only([].into()))
    }

    pub(super) fn put(&mut self, source: ChoiceSource, sample: &Sample) {
        self.in_a_row = 0;
        for ids in self.settled.missing(&sample.ids) {
            self.settled.insert(&ids);
        }
        self.queue.push_back(Kept { source, choices: sample.choices.clone() });
    }

    fn dimensions(&self, ids: &[Id]) -> Vec<usize> {
        let mut dimensions: Vec<usize> =
            ids.iter().map(|id| self.known.tally.dimension(*id)).collect();
        dimensions.sort_unstable();
        dimensions
    }

    /// A combination did not come out. If it was seen, what it was seen in is kept; else it is
    /// given up after a few times.
    fn fail(&mut self, target: &[Id], why: &str) {
        let dimensions = self.dimensions(target);
        let in_vain = self.in_vain.get(&dimensions).copied().unwrap_or(0);
        let tries = if in_vain >= HARDLY.0 { HARDLY.1 } else { TRIES };
        let failed = self.failed.entry(target.to_vec()).or_default();
        *failed += 1;
        if *failed < 2 || self.settled.has(target) {
            return;
        }
        if let Some(witness) = self.known.witness(target) {
            let witness: Arc<Sample> = Arc::clone(witness);
            self.put(ChoiceSource::replaying(witness.choices.clone()), &witness);
        } else if *failed >= tries {
            self.settled.insert(target);
            self.in_a_row += 1;
            *self.in_vain.entry(dimensions).or_default() += 1;
            let classes = target.iter().map(|id| self.known.tally.told(*id)).collect();
            let why = format!("{failed} attempts came out otherwise; the last: {why}");
            self.lost.push(Gap { classes, how: How::NotFound, why });
        }
    }
}
