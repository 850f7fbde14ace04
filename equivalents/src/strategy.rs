//! Equivalent files as a `proptest` strategy.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use inverter::solve::{ChoiceSource, Vary};
use proptest::arbitrary::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::restriction::restricted;
use crate::subject::{Subject, VariantError};
use crate::{Equivalent, Format, NotRead, Restriction, RestrictionError, Shrinking};

/// The number of attempts to build a file before the strategy gives up.
const ATTEMPTS: usize = 20;

/// A strategy for files that mean the same as a seed. A failing file is shrunk to files that mean the same and differ
/// less from the seed.
#[derive(Clone)]
pub struct EquivalentTo {
    seed: Arc<dyn Subject>,
    /// The seed with a restriction.
    made: Arc<dyn Subject>,
    kept: BTreeSet<String>,
}

/// Returns the strategy for files that mean the same as a TIFF file. [`Format::equivalent_to`] does this for other
/// formats.
///
/// ```
/// use equivalents::equivalent_to;
/// use proptest::prelude::*;
///
/// let seed = std::fs::read("../corpus/seeds/tiny.tif").unwrap();
/// # let mut tests = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(5));
/// # let seed_of = equivalent_to(&seed).unwrap();
/// // In a test this is `proptest! { fn it_does_not_matter(file in equivalent_to(SEED).unwrap()) { .. } }`.
/// tests.run(&seed_of, |file| {
///     prop_assert_eq!(width(&file), width(&seed));
///     Ok(())
/// })?;
/// # fn width(_: &[u8]) -> u32 { 1 }
/// # Ok::<(), proptest::test_runner::TestError<_>>(())
/// ```
///
/// # Errors
///
/// Returns [`NotRead::File`].
pub fn equivalent_to(bytes: &[u8]) -> Result<EquivalentTo, NotRead> {
    Format::Tiff.equivalent_to(bytes)
}

impl Format {
    /// Returns the strategy for files that mean the same as `bytes`.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`].
    pub fn equivalent_to(&self, bytes: &[u8]) -> Result<EquivalentTo, NotRead> {
        let seed = self.seed(bytes)?;
        Ok(EquivalentTo { made: Arc::clone(&seed), seed, kept: BTreeSet::new() })
    }
}

impl EquivalentTo {
    /// Keeps these dimensions as in the seed, as far as the other dimensions permit. Use this for dimensions that a
    /// decoder does not have to support. Names that are not dimensions of the seed have no effect.
    pub fn keeping<'n>(mut self, dimensions: impl IntoIterator<Item = &'n str>) -> Self {
        self.kept.extend(dimensions.into_iter().map(str::to_owned));
        self
    }

    /// Generates only files that comply with `restriction`. A failing file still shrinks towards the seed, even in the
    /// dimensions whose values are fixed.
    ///
    /// # Errors
    ///
    /// Returns [`RestrictionError`].
    pub fn restricted(self, restriction: &Restriction) -> Result<Self, RestrictionError> {
        Ok(Self { made: restricted(Arc::clone(&self.seed), restriction)?, ..self })
    }

    fn vary(&self) -> Vary {
        if self.kept.is_empty() {
            return Vary::All;
        }
        let varied = self.seed.dimensions().iter().filter(|name| !self.kept.contains(*name));
        Vary::only(varied)
    }
}

impl fmt::Debug for EquivalentTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "equivalent to a file of {} bytes", self.seed.seed_bytes().len())
    }
}

impl Strategy for EquivalentTo {
    type Tree = EquivalentTree;
    type Value = Equivalent;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let vary = Arc::new(self.vary());
        let mut why = String::new();
        for _ in 0..ATTEMPTS {
            let run = any::<u64>().new_tree(runner)?.current();
            match self.made.variant_from(ChoiceSource::seeded(run, 0).with_vary(vary.clone())) {
                Ok(variant) => {
                    let start = Equivalent::of(&*self.seed, variant);
                    return Ok(EquivalentTree::new(self.seed.clone(), start));
                }
                Err(VariantError::Impossible(reason)) => why = reason,
                Err(internal) => return Err(internal.to_string().into()),
            }
        }
        Err(why.into())
    }
}

/// An equivalent file, and the files that it shrinks to.
pub struct EquivalentTree {
    shrinking: Shrinking,
    current: Equivalent,
    /// True if `current` still needs an answer.
    asked: bool,
}

impl EquivalentTree {
    fn new(seed: Arc<dyn Subject>, start: Equivalent) -> Self {
        Self { current: start.clone(), shrinking: Shrinking::new(seed, start), asked: false }
    }

    /// Takes an answer for the current file, and proceeds to the next one.
    fn advance(&mut self, fails: bool) -> bool {
        if self.asked {
            self.shrinking.answer(fails);
        }
        let next = self.shrinking.next().cloned();
        self.asked = next.is_some();
        let next = next.unwrap_or_else(|| self.shrinking.best().clone());
        // The best file, which fails, is tried once more at the end.
        let changed = self.asked || next != self.current;
        self.current = next;
        changed
    }
}

impl ValueTree for EquivalentTree {
    type Value = Equivalent;

    fn current(&self) -> Equivalent {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        self.advance(true)
    }

    fn complicate(&mut self) -> bool {
        self.advance(false)
    }
}
