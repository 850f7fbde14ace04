//! Sets of equivalent files, as they are made for `variants` and `export`.

use clap::ValueEnum;
use inverter::solve::cover::{Cover, Settings};
use inverter::solve::{ChoiceSource, Vary};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::coverage::Covered;
use crate::subject::{Subject, Variant, VariantError};

/// How many variants are made before they are handed out: what memory holds at a time.
const BATCH: u64 = 256;

/// How many random ones there are if nobody says.
const COUNT: u64 = 100;

/// Which variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Covering {
    /// Every choice at random
    #[default]
    Random,
    /// Few in which every two value classes of two dimensions meet, as far as they can
    Pairwise,
    /// The same for every three of three dimensions: many more
    Triples,
}

impl Covering {
    /// How many classes are to meet.
    pub fn strength(self) -> usize {
        match self {
            Covering::Random | Covering::Pairwise => 2,
            Covering::Triples => 3,
        }
    }
}

/// Takes a variant and its number.
pub type Take<'t> = &'t mut dyn FnMut(u64, Variant) -> Result<(), String>;

/// Which variants of a seed are made.
pub struct Made<'a> {
    /// The seed.
    pub seed: &'a dyn Subject,
    /// The run's number: all randomness comes from it.
    pub run_seed: u64,
    /// Which are made.
    pub cover: Covering,
    /// How many; of covering sets, at most.
    pub count: Option<u64>,
    /// How many threads make them; one a processor without it.
    pub jobs: Option<usize>,
}

impl Made<'_> {
    /// Makes and checks the variants, and hands them to `take` in order. Of covering sets, what is
    /// known of what they leave out is given.
    ///
    /// # Errors
    ///
    /// One line: a defect, or what `take` says.
    pub fn each(&self, take: Take<'_>) -> Result<Option<Covered>, String> {
        let threads = self.jobs.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| e.to_string())?;
        match self.cover {
            Covering::Random => self.random(&pool, take).map(|()| None),
            Covering::Pairwise | Covering::Triples => self.covering(&pool, take).map(Some),
        }
    }

    /// Variants from 0 on, every choice at random.
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
                        eprintln!("note: variant {index} is not possible: {why}");
                    }
                    Err(e) => return Err(e.to_string()),
                }
            }
        }
        Ok(())
    }

    /// Variants that cover all combinations that can be covered, at most `count`.
    fn covering(&self, pool: &ThreadPool, take: Take<'_>) -> Result<Covered, String> {
        let seed = self.seed;
        let most = self.count.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        let strength = self.cover.strength();
        let settings = Settings { seed: self.run_seed, strength, most, ..Settings::default() };
        let mut cover = Cover::new(settings, seed.classify());
        // What is tried is not read back; what is kept is.
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
            let next = cover.next_kept(make)?;
            let last = next.is_none();
            kept.extend(next.map(|kept| kept.source));
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
                return Ok(Covered::of(&cover));
            }
        }
    }
}
