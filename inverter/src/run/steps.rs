//! The bound on the work of a run.

use std::cell::Cell;

use super::error::RunError;
use crate::program::{Source, Span};

/// The rounds that loops have left, in proportion to the size of the data: a hostile loop bound cannot
/// keep a run busy.
#[derive(Debug)]
pub struct Steps(Cell<u64>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(1 << 22))
    }
}

impl Steps {
    /// As many rounds.
    pub fn of(rounds: u64) -> Self {
        Self(Cell::new(rounds))
    }

    /// Raises the limit in proportion to `cells`.
    pub fn allow(&self, cells: usize) {
        self.0.set(self.0.get().saturating_add((cells as u64).saturating_mul(1024)));
    }

    /// Returns the rounds that are left.
    pub fn left(&self) -> u64 {
        self.0.get()
    }

    /// Takes `n` rounds, if as many are left; returns true if so.
    pub fn try_take(&self, n: u64) -> bool {
        let left = self.0.get().checked_sub(n);
        left.inspect(|left| self.0.set(*left)).is_some()
    }

    /// Returns `n` rounds.
    pub fn give(&self, n: u64) {
        self.0.set(self.0.get().saturating_add(n));
    }

    /// Takes `n` rounds of the loop at `span`.
    ///
    /// # Errors
    ///
    /// If there have been too many.
    pub fn take(&self, n: u64, source: &Source, span: Span) -> Result<(), RunError> {
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
