//! The limit on the work of a run.

use std::cell::Cell;

use super::error::RunError;
use crate::program::{Source, Span};

/// The rounds that loops may still run, in proportion to the size of the data, so that a hostile loop bound cannot keep
/// a run busy.
#[derive(Debug)]
pub struct Steps {
    left: Cell<u64>,
    /// The number of rounds after which a trial is abandoned, even if more are left.
    trial: Cell<u64>,
}

impl Default for Steps {
    fn default() -> Self {
        Self::of_trial(u64::MAX)
    }
}

impl Steps {
    /// This number of rounds.
    pub fn of(rounds: u64) -> Self {
        Self { left: Cell::new(rounds), trial: Cell::new(u64::MAX) }
    }

    /// The limit of a trial, which is abandoned after this number of rounds.
    pub fn of_trial(most: u64) -> Self {
        Self { left: Cell::new(1 << 22), trial: Cell::new(most) }
    }

    /// Raises the limit in proportion to `cells`.
    pub fn allow(&self, cells: usize) {
        self.left.set(self.left.get().saturating_add((cells as u64).saturating_mul(1024)));
    }

    /// Returns the rounds that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes `n` rounds, if enough are left; returns true on success.
    pub fn try_take(&self, n: u64) -> bool {
        let left = self.left.get().checked_sub(n);
        left.inspect(|left| self.left.set(*left)).is_some()
    }

    /// Returns `n` rounds.
    pub fn give(&self, n: u64) {
        self.left.set(self.left.get().saturating_add(n));
    }

    /// Takes `n` rounds for the loop at `span`.
    ///
    /// # Errors
    ///
    /// Returns an error if there have been too many.
    pub fn take(&self, n: u64, source: &Source, span: Span) -> Result<(), RunError> {
        let Some(trial) = self.trial.get().checked_sub(n) else {
            return Err(RunError::at(source, span, "the trial was given up here"));
        };
        self.trial.set(trial);
        match self.try_take(n) {
            true => Ok(()),
            false => Err(RunError::at(
                source,
                span,
                "the loops here take more steps than data of this size may",
            )),
        }
    }
}
