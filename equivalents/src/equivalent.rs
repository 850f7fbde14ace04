//! Equivalent files, and the iterator over those of one seed.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use inverter::solve::{ChoiceSource, Choices, Vary};
use tiff_harness::container::Class;

use crate::restriction::restricted;
use crate::subject::{Subject, Variant, VariantError};
use crate::{Canonical, Restriction, RestrictionError};

/// The number of successive failures to build a file after which the sequence ends.
const ATTEMPTS: u32 = 100;

/// A file that means the same as its seed. It dereferences to its bytes. Its `Debug` form shows the choices in which it
/// differs, in the form that `repfuzz replay --choices` reads.
#[derive(Clone, PartialEq, Eq)]
pub struct Equivalent {
    /// The file.
    pub bytes: Vec<u8>,
    /// The choices that differ from the seed's.
    pub choices: Choices,
    /// Its class: whether the standard requires every reader to accept it.
    pub class: Class,
}

impl Equivalent {
    /// Converts a variant of `seed`.
    pub(crate) fn of(seed: &dyn Subject, variant: Variant) -> Self {
        let choices = variant.differing_from(seed.own_choices());
        Self { bytes: variant.bytes, choices, class: variant.class }
    }

    /// Builds the variant of `seed` that differs from it in these choices; `None` if there is none.
    pub(crate) fn replayed(seed: &dyn Subject, choices: &Choices) -> Option<Self> {
        seed.replay(choices).ok().map(|variant| Self::of(seed, variant))
    }

    /// Builds the variant of `seed` that is stored like another file with the same meaning, as far as possible; `own`
    /// are that file's choices.
    pub(crate) fn stored_like(seed: &dyn Subject, own: &Choices) -> Option<Self> {
        let source = ChoiceSource::replaying(Choices::new()).with_baseline(own.clone());
        seed.variant_from(source).ok().map(|variant| Self::of(seed, variant))
    }

    /// Returns the seed itself.
    pub(crate) fn seed(seed: &dyn Subject) -> Self {
        let bytes = seed.seed_bytes().to_vec();
        Self { bytes, choices: Choices::new(), class: Class::Baseline }
    }
}

impl Deref for Equivalent {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Equivalent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Equivalent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices = serde_json::to_string(&self.choices).map_err(|_| fmt::Error)?;
        write!(f, "a file of {} bytes that differs in {choices}", self.bytes.len())
    }
}

/// The reason why choices cannot be replayed on a seed, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotReplayed(String);

/// An unlimited iterator over files that mean the same as a seed.
#[derive(Clone)]
pub struct Equivalents {
    seed: Arc<dyn Subject>,
    /// The seed together with the restriction.
    made: Arc<dyn Subject>,
    restriction: Restriction,
    run: u64,
    index: u64,
    failure: Option<String>,
}

impl Equivalents {
    pub(crate) fn of(seed: Arc<dyn Subject>) -> Self {
        let made = Arc::clone(&seed);
        let restriction = Restriction::new();
        Self { seed, made, restriction, run: 1, index: 0, failure: None }
    }

    /// Returns the seed's bytes.
    pub fn seed(&self) -> &[u8] {
        self.seed.seed_bytes()
    }

    /// Returns the canonical value, which all files have.
    pub fn canonical(&self) -> Canonical {
        Canonical::of(&*self.seed)
    }

    /// Returns the seed that was read.
    pub(crate) fn subject(&self) -> &Arc<dyn Subject> {
        &self.seed
    }

    /// Returns the names of the dimensions of the files that mean the same, in a fixed order. The first call
    /// for a format that a spec describes makes some hundred files.
    pub fn dimensions(&self) -> &[String] {
        self.seed.dimensions()
    }

    /// Builds the file that differs from the seed in these choices, regardless of the restriction. The choices of the
    /// file are the given ones, without any that follow from others.
    ///
    /// # Errors
    ///
    /// Returns [`NotReplayed`], which names the choice that does not fit, and the reason.
    pub fn replay(&self, choices: &Choices) -> Result<Equivalent, NotReplayed> {
        match self.seed.replay(choices) {
            Ok(variant) => {
                let choices = choices.clone();
                Ok(Equivalent { choices, ..Equivalent::of(&*self.seed, variant) })
            }
            Err(VariantError::Impossible(why) | VariantError::Internal(why)) => {
                Err(NotReplayed(why))
            }
        }
    }

    /// Builds the first file of the run `run` in which only these dimensions vary, among those that vary in this
    /// sequence. If possible, they have the same values as in the first file in which all of them vary. Returns `None`
    /// if there is no such file.
    pub fn varying(&self, run: u64, dimensions: &[String]) -> Option<Equivalent> {
        let source = ChoiceSource::seeded(run, 0).with_vary(Vary::only(dimensions));
        let made = Equivalent::of(&*self.seed, self.made.variant_from(source).ok()?);
        let part = made.choices.iter().filter(|(name, _)| dimensions.iter().any(|d| d == name));
        let part = part.map(|(name, value)| (name, value.clone())).collect();
        // Other choices may follow from the given ones.
        let again = self.replay(&part).ok().filter(|again| again.bytes == made.bytes);
        Some(again.unwrap_or(made))
    }

    /// Returns the reason why [`Iterator::next`] returned `None`: the last of a hundred failures in a row. Returns
    /// `None` if it has always returned a file.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Restarts with another run number, from which all randomness derives. The default is 1.
    pub fn of_run(self, run: u64) -> Self {
        Self { run, index: 0, failure: None, ..self }
    }

    /// Lets only these dimensions vary, given by globs over their names: `["orientation", "segment *"]`. Globs of
    /// several calls accumulate. The others keep the seed's value if it fits.
    ///
    /// # Errors
    ///
    /// Returns [`RestrictionError`].
    pub fn vary<G: Into<String>>(
        self,
        globs: impl IntoIterator<Item = G>,
    ) -> Result<Self, RestrictionError> {
        let restriction = self.restriction.clone().vary(globs);
        self.restricted(&restriction)
    }

    /// Does not vary the dimensions that match one of these globs.
    ///
    /// # Errors
    ///
    /// Returns [`RestrictionError`].
    pub fn without<G: Into<String>>(
        self,
        globs: impl IntoIterator<Item = G>,
    ) -> Result<Self, RestrictionError> {
        let restriction = self.restriction.clone().without(globs);
        self.restricted(&restriction)
    }

    /// Fixes a dimension to this value in every file that has the dimension.
    ///
    /// # Errors
    ///
    /// Returns [`RestrictionError`].
    pub fn fix(self, dimension: &str, value: impl fmt::Display) -> Result<Self, RestrictionError> {
        let restriction = self.restriction.clone().fix(dimension, value);
        self.restricted(&restriction)
    }

    /// Restarts with files that comply with `restriction`, which replaces an earlier one. This makes about a hundred
    /// files, to check the restriction.
    ///
    /// # Errors
    ///
    /// Returns [`RestrictionError`].
    pub fn restricted(self, restriction: &Restriction) -> Result<Self, RestrictionError> {
        let made = restricted(Arc::clone(&self.seed), restriction)?;
        Ok(Self { made, restriction: restriction.clone(), index: 0, failure: None, ..self })
    }
}

impl Iterator for Equivalents {
    type Item = Equivalent;

    fn next(&mut self) -> Option<Equivalent> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let source = ChoiceSource::seeded(self.run, self.index).with_vary(Vary::All);
            self.index += 1;
            match self.made.variant_from(source) {
                Ok(variant) => return Some(Equivalent::of(&*self.seed, variant)),
                Err(why) => last = Some(why),
            }
        }
        self.failure = last.map(|why| why.to_string());
        None
    }
}
