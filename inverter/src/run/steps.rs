//! The bound on the work of a run.

use std::cell::Cell;

use super::error::RunError;
use crate::program::{Source, Span};

/// How often loops may still go round: in proportion to the data that there is, so that a
/// bound from anywhere cannot keep a run busy.
#[derive(Debug)]
pub struct Steps(Cell<u64>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(1 << 22))
    }
}

impl Steps {
    /// There are that many more elements.
    pub fn allow(&self, cells: usize) {
        self.0.set(self.0.get().saturating_add((cells as u64).saturating_mul(1024)));
    }

    /// How many rounds there may still be.
    pub fn left(&self) -> u64 {
        self.0.get()
    }

    /// `n` rounds, if there may still be as many.
    pub fn try_take(&self, n: u64) -> bool {
        let left = self.0.get().checked_sub(n);
        left.inspect(|left| self.0.set(*left)).is_some()
    }

    /// Takes `n` rounds back.
    pub fn give(&self, n: u64) {
        self.0.set(self.0.get().saturating_add(n));
    }

    /// `n` rounds at `span`.
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
