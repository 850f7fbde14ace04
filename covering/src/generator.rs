//! The driver: random samples, then attempts at pairs of classes, then designed rows.
//!
//! It takes a function that makes choices and returns one row after another. All attempts are made in batches of fixed
//! size, so the result does not depend on the number of threads.

use inverter::solve::{ChoiceSource, Choices, Classify};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::bound;
use crate::combinations::{ClassId, each_of};
use crate::design::Design;
use crate::gap::Gap;
use crate::observations::Observations;
use crate::open;
use crate::pairs::PairExplorer;
use crate::planner::Planner;
use crate::row::Row;
use crate::sources::Sources;
use crate::tally::Tally;

/// The parameters of a covering array.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of classes in each combination: 2 or 3.
    pub strength: usize,
    /// The maximum number of rows.
    pub max_rows: usize,
    /// The number of random samples made first, but at most eight for each requested row. The classes to cover are
    /// those that occur in them, and any that turn up later.
    pub samples: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, strength: 2, max_rows: usize::MAX, samples: 512 }
    }
}

/// The number of sources in a batch. It affects the result, so it must not depend on the number of threads.
const BATCH: usize = 64;

/// Generates the rows of a covering array.
pub struct Generator {
    settings: Settings,
    observed: Observations,
    pairs: PairExplorer,
    planner: Planner,
    sources: Sources,
    rng: ChaCha8Rng,
    rows: usize,
}

impl Generator {
    /// A generator that has not made anything yet. `classify` returns the class of a dimension's value.
    pub fn new(settings: Settings, classify: Classify) -> Self {
        let strength = settings.strength.clamp(2, 3);
        // If the number of rows is limited, covers the most early on instead of using the fewest rows in total.
        let greedy = settings.max_rows < usize::MAX;
        Self {
            observed: Observations::new(strength, classify),
            pairs: PairExplorer::new(),
            planner: Planner::new(strength, greedy),
            sources: Sources::new(settings.seed),
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
            rows: 0,
            settings,
        }
    }

    /// The combinations that were not found to occur, with reasons: pairs, and for strength 3 also triples whose
    /// classes occur together in pairs.
    pub fn tally(&self) -> &Tally {
        &self.observed.tally
    }

    /// The combinations that were not found to occur, with reasons: pairs, and for strength 3 also triples in which
    /// every two classes do occur together.
    pub fn gaps(&self) -> Vec<Gap> {
        // A combination that was given up may have turned up since.
        let is_gap = |gap: &&Gap| !self.observed.met(&gap.classes);
        self.pairs.gaps().iter().chain(self.planner.gaps()).filter(is_gap).cloned().collect()
    }

    /// The number of combinations whose classes occurred together in pairs. No other combinations can be covered.
    pub fn possible(&self) -> usize {
        let mut count = 0;
        let width: Vec<usize> = (0..self.tally().width()).collect();
        each_of(&width, self.tally().strength(), |dimensions| {
            count += open::all_of(dimensions, &self.observed).len();
        });
        count
    }

    /// A lower bound on the number of rows needed to cover as much as these rows do. It assumes that classes which
    /// never occurred together cannot.
    pub fn lower_bound(&self) -> usize {
        bound::lower_bound(&self.observed)
    }

    /// The number of sets of choices that were tried.
    pub fn tried(&self) -> u64 {
        self.sources.count()
    }

    /// Returns the next row, or `None` when everything possible is covered or there are [`Settings::max_rows`] rows.
    /// For each of a list of sources, `make` returns the resulting choices, or the reason why there are none. A source
    /// may come with a baseline, which `make` must not replace.
    ///
    /// # Errors
    ///
    /// The error of `make`.
    pub fn next_row<E>(
        &mut self,
        mut make: impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<Option<Row>, E> {
        if self.rows >= self.settings.max_rows {
            return Ok(None);
        }
        self.sample(&mut make)?;
        // If not everything is to be covered, some feasible pairs may remain unknown.
        let few = self.settings.max_rows < usize::MAX;
        while self.planner.is_empty() {
            if few && self.design(&mut make)? {
                continue;
            }
            self.explore(&mut make)?;
            if !self.design(&mut make)? {
                self.planner.single(&self.observed, self.rows == 0);
                break;
            }
        }
        let Some(row) = self.planner.next() else { return Ok(None) };
        self.rows += 1;
        self.observed.keep(&row.choices);
        Ok(Some(row))
    }

    /// Makes the random samples, which show most of the possible combinations.
    fn sample<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<(), E> {
        let samples = self.settings.samples.min(self.settings.max_rows.saturating_mul(8)) as u64;
        while self.sources.count() < samples {
            let rest = samples - self.sources.count();
            let batch = (0..rest).take(BATCH).map(|_| self.sources.next()).collect();
            for choices in make(batch)?.into_iter().flatten() {
                self.observed.learn(choices);
            }
        }
        Ok(())
    }

    /// Attempts the pairs that did not occur, until each has occurred or was given up.
    fn explore<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<(), E> {
        loop {
            let attempts =
                self.pairs.attempts(&self.observed, BATCH, &mut self.rng, &mut self.sources);
            if attempts.is_empty() {
                return Ok(());
            }
            let made = make(attempts.iter().map(|(_, a)| a.source.clone()).collect())?;
            for ((group, attempt), made) in attempts.iter().zip(made) {
                match made {
                    Ok(choices) => {
                        let sample = self.observed.learn(choices);
                        let outcome = Ok(&sample.choices);
                        self.pairs.finish(&self.observed, *group, attempt, outcome);
                    }
                    Err(why) => self.pairs.finish(&self.observed, *group, attempt, Err(&why)),
                }
            }
        }
    }

    /// Designs some rows, has them made, and queues those that came out well. Returns false if
    /// no combination is open.
    fn design<E>(
        &mut self,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<bool, E> {
        let designs = self.planner.designs(&self.observed, &mut self.rng);
        if designs.is_empty() {
            return Ok(false);
        }
        let Self { planner, observed, sources, rng, .. } = self;
        let source = |(target, design): &(Vec<ClassId>, Design)| {
            planner.source(observed, target, design, sources, rng)
        };
        let sources: Vec<ChoiceSource> = designs.iter().map(source).collect();
        let made = make(sources.clone())?;
        for (((target, design), source), made) in designs.into_iter().zip(sources).zip(made) {
            self.planner.finish(&mut self.observed, &target, &design, source, made);
        }
        Ok(true)
    }
}
