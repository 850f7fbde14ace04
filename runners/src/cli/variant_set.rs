//! Sets of equivalent files, for `variants` and `export`.

use checks::Failures;
use clap::ValueEnum;
use covering::{Generator, Settings};
use inverter::solve::{ChoiceSource, Vary};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::coverage::Covered;
use super::{INCOMPLETE, SUCCESS, note};
use campaign::{CachedSubject, RefusedVariant};
use equivalents::subject::{Subject, Variant, VariantError};

/// The number of variants made at a time, which limits memory.
const BATCH: u64 = 256;

/// The default number of random variants.
const COUNT: u64 = 100;

/// The selection of variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Covering {
    /// All choices at random
    #[default]
    Random,
    /// A small set in which every two value classes of two dimensions occur together, if possible
    Pairwise,
    /// A larger set in which every three value classes of three dimensions occur together
    Triples,
}

impl Covering {
    /// The number of classes that occur together.
    pub fn strength(self) -> usize {
        match self {
            Covering::Random | Covering::Pairwise => 2,
            Covering::Triples => 3,
        }
    }
}

/// A callback for a variant and its index.
pub type Take<'t> = &'t mut dyn FnMut(u64, Variant) -> Result<(), String>;

/// A set of variants of a seed.
pub struct VariantSet<'a> {
    /// The seed.
    pub seed: &'a dyn Subject,
    /// The run seed, from which all randomness derives.
    pub run_seed: u64,
    /// The selection.
    pub cover: Covering,
    /// The number of variants; for covering sets, an upper bound.
    pub count: Option<u64>,
    /// The number of threads; one per processor by default.
    pub jobs: Option<usize>,
}

/// The result of making a set.
pub struct SetResult {
    /// The coverage of covering sets.
    pub covering: Option<Covered>,
    /// The variants that were left out because of an internal error.
    pub refused: Vec<RefusedVariant>,
}

impl SetResult {
    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        if self.refused.is_empty() { SUCCESS } else { INCOMPLETE }
    }
}

impl VariantSet<'_> {
    /// Makes and checks the variants, and passes them to `take` in order. Leaves out those that are internal errors,
    /// with a note.
    ///
    /// # Errors
    ///
    /// Returns the error of `take`, in one line.
    pub fn each(&self, take: Take<'_>) -> Result<SetResult, String> {
        let threads = self.jobs.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| e.to_string())?;
        let seed = CachedSubject::new(self.seed);
        let covering = match self.cover {
            Covering::Random => self.random(&seed, &pool, take).map(|()| None),
            Covering::Pairwise | Covering::Triples => self.covering(&seed, &pool, take).map(Some),
        }?;
        let refused = seed.refused();
        for RefusedVariant { what, choices } in &refused {
            let choices = serde_json::to_string(choices).unwrap_or_default();
            note(format!(
                "a variant was left out because of an internal error: {what}; please report this with \
                 the seed file and these choices: {choices}"
            ));
        }
        Ok(SetResult { covering, refused })
    }

    /// Makes variants with all choices at random.
    fn random(&self, seed: &dyn Subject, pool: &ThreadPool, take: Take<'_>) -> Result<(), String> {
        let count = self.count.unwrap_or(COUNT);
        let mut failures = Failures::default();
        for first in (0..count).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(count);
            let make = |index| (index, seed.variant(self.run_seed, index, Vary::All));
            let made: Vec<(u64, Result<Variant, VariantError>)> =
                pool.install(|| batch.into_par_iter().map(make).collect());
            for (index, variant) in made {
                match variant {
                    Ok(variant) => take(index, variant)?,
                    Err(why) => failures.add(&why.to_string()),
                }
            }
        }
        if failures.count() > 0 {
            note(format!(
                "{} of {count} variants are impossible, by what refuses them:",
                failures.count()
            ));
        }
        for (n, why) in failures.by_bound() {
            note(format!("{n} of {count}: {why}"));
        }
        Ok(())
    }

    /// Makes variants that cover all combinations that can be covered, at most `count`.
    fn covering(
        &self,
        seed: &dyn Subject,
        pool: &ThreadPool,
        take: Take<'_>,
    ) -> Result<Covered, String> {
        let max_rows = self.count.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        let strength = self.cover.strength();
        let settings = Settings { seed: self.run_seed, strength, max_rows, ..Settings::default() };
        let mut generator = Generator::new(settings, seed.classify());
        // Trials are not read back, but the variants that are kept are.
        let one = |source: ChoiceSource| seed.choices_from(source).map_err(|why| why.to_string());
        let make = |sources: Vec<ChoiceSource>| {
            Ok::<_, String>(pool.install(|| sources.into_par_iter().map(one).collect()))
        };
        let (mut kept, mut index) = (Vec::new(), 0);
        loop {
            let next = generator.next_row(make)?;
            let last = next.is_none();
            kept.extend(next.map(|row| row.source));
            if last || kept.len() as u64 == BATCH {
                let sources = std::mem::take(&mut kept);
                let made: Vec<Result<Variant, VariantError>> = pool.install(|| {
                    sources.into_par_iter().map(|source| seed.variant_from(source)).collect()
                });
                for variant in made.into_iter().flatten() {
                    take(index, variant)?;
                    index += 1;
                }
            }
            if last {
                return Ok(Covered::of(&generator));
            }
        }
    }
}
