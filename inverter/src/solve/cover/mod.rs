//! Covering sets: few sets of choices in which every two value classes of two dimensions
//! occur together, or every three of three, as far as they can. Most faults need one or two
//! settings to show; few need more.
//!
//! What can be is not written down a second time: the constraints are those by which choices
//! are made, and they are asked. First it is found out which two classes can occur together
//! at all (`explore`). Then choices are designed, a class for each dimension, greedily: the
//! combination is taken that has most left to do (`open`), and the others are chosen such
//! that many open ones are covered (`design`). A design is a wish
//! ([`crate::solve::Wishes`]): what comes out is counted, never what was wished for.
//!
//! Everything here is a function of [`Settings::seed`] and of what the choices come out as.

mod attempt;
mod bound;
mod combos;
mod design;
mod explore;
mod gap;
mod known;
mod open;
mod plan;
mod tally;

use std::collections::{BTreeMap, VecDeque};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::combos::{Combinations, each_of};
use self::explore::Explorer;
use self::known::Known;
use self::open::Open;
use crate::solve::{ChoiceSource, Choices, Classify};

pub use self::combos::Id;
pub use self::gap::{Gap, How};
pub use self::tally::Tally;

/// How a covering set is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// All randomness comes from it.
    pub seed: u64,
    /// Of how many classes each combination is: 2 or 3.
    pub strength: usize,
    /// The most sets of choices.
    pub most: usize,
    /// How many random choices are made to begin with, but at most eight for each that is
    /// wanted: the classes that occur in them are those to be covered (and what turns up later).
    pub first: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, strength: 2, most: usize::MAX, first: 512 }
    }
}

/// How many choices are made at once. It decides what is made, so that it must not depend on
/// the number of threads.
const ATTEMPTS: usize = 64;

/// After so many combinations in a row that are given up, the rest is.
const PATIENCE: usize = 3000;

/// A set of choices to keep.
#[derive(Debug, Clone)]
pub struct Kept {
    /// It gives these choices.
    pub source: ChoiceSource,
    /// The choices.
    pub choices: Choices,
}

/// A covering set in the making.
pub struct Cover {
    settings: Settings,
    known: Known,
    explorer: Explorer,
    open: Open,
    /// What need not be covered: it is, or it was given up.
    settled: Combinations,
    /// How often an open combination did not come out.
    failed: BTreeMap<Vec<Id>, usize>,
    /// Combinations of three that were given up, with what became of the last attempt.
    lost: Vec<Gap>,
    in_a_row: usize,
    /// By dimensions, how many were given up since one was covered.
    in_vain: BTreeMap<Vec<usize>, usize>,
    rng: ChaCha8Rng,
    /// The index of the next source.
    next: u64,
    kept: usize,
    queue: VecDeque<Kept>,
}

impl Cover {
    /// Nothing made yet. `classify` gives the class of a dimension's value.
    pub fn new(settings: Settings, classify: Classify) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(settings.seed);
        let strength = settings.strength.clamp(2, 3);
        Self {
            known: Known::new(strength, classify),
            explorer: Explorer::new(),
            open: Open::default(),
            settled: Combinations::new(strength),
            failed: BTreeMap::new(),
            lost: Vec::new(),
            in_a_row: 0,
            in_vain: BTreeMap::new(),
            rng,
            next: 0,
            kept: 0,
            queue: VecDeque::new(),
            settings,
        }
    }

    /// What the sets of choices that were kept cover.
    pub fn tally(&self) -> &Tally {
        &self.known.tally
    }

    /// The classes that were not found to occur together, and why: pairs, and where triples
    /// are wanted those of three classes of which each two do.
    pub fn gaps(&self) -> Vec<Gap> {
        // What was given up may have turned up since.
        let is_gap = |gap: &&Gap| !self.known.met(&gap.classes);
        self.explorer.gaps().iter().chain(&self.lost).filter(is_gap).cloned().collect()
    }

    /// How many combinations of classes there are of which each two occurred together: the
    /// others cannot be covered.
    pub fn possible(&self) -> usize {
        let mut count = 0;
        let width: Vec<usize> = (0..self.tally().width()).collect();
        each_of(&width, self.tally().strength(), |dimensions| {
            count += open::all_of(dimensions, &self.known).len();
        });
        count
    }

    /// How many sets of choices there must be at least for what is covered, as far as the
    /// classes that were never seen together cannot be.
    pub fn least(&self) -> usize {
        bound::least(&self.known)
    }

    /// How many sets of choices were tried.
    pub fn tried(&self) -> u64 {
        self.next
    }

    /// The next set of choices to keep; none when all is covered that can be, or there are
    /// [`Settings::most`]. `make` says, for each of a list of sources, which choices come
    /// out, or why none do. Sources may bring a baseline of their own, which must not be
    /// replaced.
    ///
    /// # Errors
    ///
    /// Those of `make`, which end it all.
    pub fn next_kept<E>(
        &mut self,
        mut make: impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<Option<Kept>, E> {
        if self.kept >= self.settings.most {
            return Ok(None);
        }
        self.begin(&mut make)?;
        // Where not all will be covered, not all need be known of what can be.
        let few = self.settings.most < usize::MAX;
        while self.queue.is_empty() {
            if few && self.design(&mut make)? {
                continue;
            }
            self.explore(&mut make)?;
            if !self.design(&mut make)? {
                self.single();
                break;
            }
        }
        let Some(kept) = self.queue.pop_front() else { return Ok(None) };
        self.kept += 1;
        self.known.keep(&kept.choices);
        Ok(Some(kept))
    }

    /// Random choices, in which most of what can be occurs.
    fn begin<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<(), E> {
        let first = self.settings.first.min(self.settings.most.saturating_mul(8)) as u64;
        while self.next < first {
            let some = (self.next..first).take(ATTEMPTS).map(|_| self.plain()).collect();
            for choices in make(some)?.into_iter().flatten() {
                self.known.learn(choices);
            }
        }
        Ok(())
    }

    /// Attempts at pairs that did not meet, until each did or was given up.
    fn explore<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<(), E> {
        loop {
            let (seed, next) = (self.settings.seed, &mut self.next);
            let plain = || {
                *next += 1;
                ChoiceSource::seeded(seed, *next - 1)
            };
            let attempts = self.explorer.attempts(&self.known, ATTEMPTS, &mut self.rng, plain);
            if attempts.is_empty() {
                return Ok(());
            }
            let made = make(attempts.iter().map(|(_, a)| a.source.clone()).collect())?;
            for ((group, attempt), made) in attempts.iter().zip(made) {
                match made {
                    Ok(choices) => {
                        let sample = self.known.learn(choices);
                        self.explorer.came(&self.known, *group, attempt, Ok(&sample.choices));
                    }
                    Err(why) => self.explorer.came(&self.known, *group, attempt, Err(&why)),
                }
            }
        }
    }

    fn plain(&mut self) -> ChoiceSource {
        self.next += 1;
        ChoiceSource::seeded(self.settings.seed, self.next - 1)
    }

    /// Puts in the queue what has a class that was kept in no combination: of the only
    /// dimension, or nothing at all.
    fn single(&mut self) {
        if let Some(sample) = self.known.lonely(self.kept == 0).cloned() {
            self.put(ChoiceSource::replaying(sample.choices.clone()), &sample);
        }
    }
}

#[cfg(test)]
mod tests;
