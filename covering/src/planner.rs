//! Designs rows, has them made, and decides by their actual choices which to keep.
//!
//! Each round designs a few rows for the combinations with the most left to cover. A row whose
//! choices cover enough is queued; a combination that keeps failing is recorded as a [`Gap`].

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use inverter::solve::{ChoiceSource, Choices, Vary};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::combinations::{ClassId, Combinations};
use crate::design::{Design, Designer};
use crate::gap::{Gap, GapKind};
use crate::observations::{Observations, Sample};
use crate::open::OpenCombinations;
use crate::row::Row;
use crate::sources::Sources;

/// The number of rows designed at once, each as if the previous ones came out as designed.
const DESIGNED: usize = 8;

/// The number of attempts at a triple before it is given up.
const TRIES: usize = 5;

/// After this many triples of the same dimensions were given up, only [`FEW_TRIES`] attempts are made.
const HOPELESS: usize = 3;
const FEW_TRIES: usize = 2;

/// After this many combinations in a row were given up, the rest is given up.
const PATIENCE: usize = 3000;

/// The planned rows, and the combinations that no longer need a row.
pub(crate) struct Planner {
    /// Prefers rows that cover the most now over the smallest number of rows.
    greedy: bool,
    open: OpenCombinations,
    /// Combinations that are covered or given up.
    settled: Combinations,
    /// The number of failed attempts at each open combination.
    failed: BTreeMap<Vec<ClassId>, usize>,
    /// Combinations that were given up, with the result of the last attempt.
    lost: Vec<Gap>,
    /// The number of combinations given up since the last row was queued.
    in_a_row: usize,
    /// For each set of dimensions, the number of combinations given up since one was last covered.
    in_vain: BTreeMap<Vec<usize>, usize>,
    queue: VecDeque<Row>,
}

impl Planner {
    /// A planner for combinations of `strength` classes.
    pub fn new(strength: usize, greedy: bool) -> Self {
        Self {
            greedy,
            open: OpenCombinations::default(),
            settled: Combinations::new(strength),
            failed: BTreeMap::new(),
            lost: Vec::new(),
            in_a_row: 0,
            in_vain: BTreeMap::new(),
            queue: VecDeque::new(),
        }
    }

    /// Returns true if no row is queued.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Takes the next row from the queue.
    pub fn next(&mut self) -> Option<Row> {
        self.queue.pop_front()
    }

    /// The combinations that were given up.
    pub fn gaps(&self) -> &[Gap] {
        &self.lost
    }

    /// Combinations to aim at, each with a design that contains it.
    pub fn designs(
        &mut self,
        observed: &Observations,
        rng: &mut ChaCha8Rng,
    ) -> Vec<(Vec<ClassId>, Design)> {
        if self.in_a_row >= PATIENCE {
            return Vec::new();
        }
        self.open.look(observed, &self.settled);
        let mut designs = Vec::new();
        // The combinations count as covered until the designs are made.
        let mut lent: Vec<Vec<ClassId>> = Vec::new();
        for _ in 0..DESIGNED {
            let target = self.open.target(observed, &self.settled, rng);
            let Some(mut target) = target else { break };
            let mut designer = Designer { observed, settled: &self.settled, rng: &mut *rng };
            // For a triple that failed before, only half of the design is used, because any row with it will do.
            let any = target.len() == 3 && self.failed.contains_key(&target);
            let mut design = if any { designer.one(&target) } else { designer.best(&target) };
            if self.greedy {
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

    /// The source that aims at a design. If its target failed before, everything except half of the design is taken
    /// from choices that have the target, or drawn if none have it.
    pub fn source(
        &self,
        observed: &Observations,
        target: &[ClassId],
        design: &Design,
        sources: &mut Sources,
        rng: &mut ChaCha8Rng,
    ) -> ChoiceSource {
        let plain = sources.next();
        if !self.failed.contains_key(target) {
            return plain.with_soft_constraints(observed.soft_constraints(&design.ids, rng));
        }
        let Some(witness) = observed.witness(target).cloned() else {
            return plain.with_soft_constraints(observed.soft_constraints(target, rng));
        };
        let mut ids = design.ids.clone();
        ids.retain(|id| !target.contains(id) && rng.random_bool(0.5));
        let source = plain.with_soft_constraints(observed.soft_constraints(&ids, rng));
        source.with_baseline(witness.choices.clone()).with_vary(Vary::none())
    }

    /// Records the outcome of a design.
    pub fn finish(
        &mut self,
        observed: &mut Observations,
        target: &[ClassId],
        design: &Design,
        source: ChoiceSource,
        made: Result<Choices, String>,
    ) {
        let choices = match made {
            Ok(choices) => choices,
            Err(why) => return self.fail(observed, target, &why),
        };
        let sample = observed.learn(choices);
        let gain = self.settled.missing_of(&sample.ids);
        let hit = sample.has(target);
        if gain > 0 && (hit || 2 * gain > design.gain) {
            self.put(source, &sample);
        }
        if hit {
            self.in_vain.remove(&dimensions(observed, target));
        } else {
            self.fail(observed, target, "attempts came out otherwise");
        }
    }

    /// Queues choices with a class that no row has and no combination contains, because its dimension is the only one.
    /// If there is no row at all (`any`), queues any choices.
    pub fn single(&mut self, observed: &Observations, any: bool) {
        if let Some(sample) = observed.lonely(any).cloned() {
            self.put(ChoiceSource::replaying(sample.choices.clone()), &sample);
        }
    }

    fn put(&mut self, source: ChoiceSource, sample: &Sample) {
        self.in_a_row = 0;
        for ids in self.settled.missing(&sample.ids) {
            self.settled.insert(&ids);
        }
        self.queue.push_back(Row { source, choices: sample.choices.clone() });
    }

    /// Records a failed attempt at `target`. If the target occurred anywhere, those choices become a row; otherwise it
    /// is given up after a few attempts.
    fn fail(&mut self, observed: &Observations, target: &[ClassId], why: &str) {
        let dimensions = dimensions(observed, target);
        let in_vain = self.in_vain.get(&dimensions).copied().unwrap_or(0);
        let tries = if in_vain >= HOPELESS { FEW_TRIES } else { TRIES };
        let failed = self.failed.entry(target.to_vec()).or_default();
        *failed += 1;
        if *failed < 2 || self.settled.has(target) {
            return;
        }
        if let Some(witness) = observed.witness(target) {
            let witness: Arc<Sample> = Arc::clone(witness);
            self.put(ChoiceSource::replaying(witness.choices.clone()), &witness);
        } else if *failed >= tries {
            self.settled.insert(target);
            self.in_a_row += 1;
            *self.in_vain.entry(dimensions).or_default() += 1;
            let classes = target.iter().map(|id| observed.tally.describe(*id)).collect();
            let why = format!("{failed} attempts came out otherwise; the last: {why}");
            self.lost.push(Gap { classes, how: GapKind::NotFound, why });
        }
    }
}

fn dimensions(observed: &Observations, ids: &[ClassId]) -> Vec<usize> {
    let mut dimensions: Vec<usize> = ids.iter().map(|id| observed.tally.dimension(*id)).collect();
    dimensions.sort_unstable();
    dimensions
}
