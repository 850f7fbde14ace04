//! Equivalent files for fuzzers built with LibAFL.
//!
//! [`EquivalentMutator`] replaces a file with one that means the same, and [`EquivalentGenerator`] makes such files
//! from a seed. A decoder must return the same result for all of them, so the harness compares its result with that for
//! the seed. All randomness comes from the fuzzer's state.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::borrow::Cow;

use equivalents::{Choices, Equivalents, Format};
use libafl::Error;
use libafl::corpus::CorpusId;
use libafl::generators::Generator;
use libafl::inputs::{HasMutatorBytes, ResizableMutator};
use libafl::mutators::{MutationResult, Mutator};
use libafl::state::{HasMaxSize, HasRand};
use libafl_bolts::Named;
use libafl_bolts::rands::Rand;

/// A mutator that replaces a file by another one that means the same and does not exceed the state's maximum size. It
/// skips input that it cannot read, and files for which nothing fits.
#[derive(Default)]
pub struct EquivalentMutator {
    files: equivalents::Mutator,
    choices: Choices,
}

impl EquivalentMutator {
    /// Returns a mutator of files of `format`.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self { files: equivalents::Mutator::new(format), choices: Choices::new() }
    }

    /// Returns the choices in which the last mutation differs from its original.
    #[must_use]
    pub fn choices(&self) -> &Choices {
        &self.choices
    }
}

impl Named for EquivalentMutator {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("EquivalentMutator")
    }
}

impl<I, S> Mutator<I, S> for EquivalentMutator
where
    I: HasMutatorBytes + ResizableMutator<u8>,
    S: HasRand + HasMaxSize,
{
    fn mutate(&mut self, state: &mut S, input: &mut I) -> Result<MutationResult, Error> {
        let (number, most) = (state.rand_mut().next(), state.max_size());
        let Some(made) = self.files.mutate(input.mutator_bytes(), most, number) else {
            return Ok(MutationResult::Skipped);
        };
        input.resize(made.bytes.len(), 0);
        input.mutator_bytes_mut().copy_from_slice(&made.bytes);
        self.choices = made.choices;
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _state: &mut S, _new: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}

/// A generator of files that mean the same as a seed.
#[derive(Clone)]
pub struct EquivalentGenerator {
    files: Equivalents,
}

impl EquivalentGenerator {
    /// Returns a generator of files that mean the same as the seed, optionally under a restriction.
    #[must_use]
    pub fn new(files: Equivalents) -> Self {
        Self { files }
    }
}

impl<I, S> Generator<I, S> for EquivalentGenerator
where
    I: From<Vec<u8>>,
    S: HasRand,
{
    fn generate(&mut self, state: &mut S) -> Result<I, Error> {
        let made = self.files.clone().of_run(state.rand_mut().next()).next();
        let none = || Error::empty("there is no file that means what the seed means");
        Ok(made.ok_or_else(none)?.bytes.into())
    }
}
