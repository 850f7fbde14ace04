//! Sets of equivalent files, for `variants` and `export`.

use clap::ValueEnum;
use covering::{Generator, Settings};
use inverter::solve::{ChoiceSource, Vary};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::coverage::Covered;
use super::note;
use crate::subject::{Subject, Variant, VariantError};

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

impl VariantSet<'_> {
    /// Makes and checks the variants, and passes them to `take` in order. Returns the coverage of
    /// covering sets.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: an internal error, or the error of `take`.
    pub fn each(&self, take: Take<'_>) -> Result<Option<Covered>, String> {
        let threads = self.jobs.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| e.to_string())?;
        match self.cover {
            Covering::Random => self.random(&pool, take).map(|()| None),
            Covering::Pairwise | Covering::Triples => self.covering(&pool, take).map(Some),
        }
    }

    /// Makes variants with all choices at random.
    fn random(&self, pool: &ThreadPool, take: Take<'_>) -> Result<(), String> {
        let count = self.count.unwrap_or(COUNT);
        for first in (0..count).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(count);
            let make = |index| (index, self.seed.variant(self.run_seed, index, Vary::All));
            let made: Vec<(u64, Result<Variant, VariantError>)> =
                pool.install(|| batch.into_par_iter().map(make).collect());
            for (index, variant) in made {
                match variant {
                    Ok(variant) => take(index, variant)?,
                    Err(VariantError::Impossible(why)) => {
                        note(format!("skipped variant {index}, which is impossible: {why}"));
                    }
                    Err(e) => return Err(e.to_string()),
                }
            }
        }
        Ok(())
    }

    /// Makes variants that cover all combinations that can be covered, at most `count`.
    fn covering(&self, pool: &ThreadPool, take: Take<'_>) -> Result<Covered, String> {
        let seed = self.seed;
        let max_rows = self.count.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        let strength = self.cover.strength();
        let settings = Settings { seed: self.run_seed, strength, max_rows, ..Settings::default() };
        let mut generator = Generator::new(settings, seed.classify());
        // Trials are not read back; the variants that are kept are.
        let one = |source: ChoiceSource| match seed.choices_from(source) {
            Ok(choices) => Ok(Ok(choices)),
            Err(VariantError::Impossible(why)) => Ok(Err(why)),
            Err(defect) => Err(defect.to_string()),
        };
        let make = |sources: Vec<ChoiceSource>| {
            pool.install(|| sources.into_par_iter().map(one).collect::<Result<Vec<_>, String>>())
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
                for variant in made {
                    take(index, variant.map_err(|e| e.to_string())?)?;
                    index += 1;
                }
            }
            if last {
                return Ok(Covered::of(&generator));
            }
        }
    }
}
