//! Deterministic automata whose states are created when they are first reached.

use super::alphabet::Symbol;
use super::nwa::Letter;
use crate::error::Error;

/// The number of a state of an [`Observer`].
pub type Id = u32;

/// A deterministic automaton that reads nested words. The state after a return depends on the states before the return
/// and before the call.
pub trait Observer {
    /// The state before the word.
    ///
    /// # Errors
    ///
    /// Like all functions of the trait, returns an error if there are more states than allowed.
    fn initial(&mut self) -> Result<Id, Error>;
    /// The state after an event.
    ///
    /// # Errors
    ///
    /// See [`Observer::initial`].
    fn internal(&mut self, at: Id, on: Symbol) -> Result<Id, Error>;
    /// The state after a call.
    ///
    /// # Errors
    ///
    /// See [`Observer::initial`].
    fn call(&mut self, at: Id, on: Symbol) -> Result<Id, Error>;
    /// Returns the state after a return from `exit` to the call that was made at `call`.
    ///
    /// # Errors
    ///
    /// See [`Observer::initial`].
    fn ret(&mut self, exit: Id, call: Id, on: Symbol) -> Result<Id, Error>;
    /// Returns true if a word whose calls and returns match is accepted when it ends here.
    fn accepts(&self, at: Id) -> bool;
}

/// An observer that accepts one nested word. Its states are positions in the word.
#[derive(Debug, Clone)]
pub struct Word<'a> {
    letters: &'a [Letter],
}

impl<'a> Word<'a> {
    /// Accepts this word.
    pub fn new(letters: &'a [Letter]) -> Self {
        Self { letters }
    }

    /// Returns the position after a letter; [`Id::MAX`] if the word continues differently.
    fn after(&self, at: Id, letter: Letter) -> Id {
        if self.letters.get(at as usize) == Some(&letter) { at + 1 } else { Id::MAX }
    }
}

impl Observer for Word<'_> {
    fn initial(&mut self) -> Result<Id, Error> {
        Ok(0)
    }

    fn internal(&mut self, at: Id, on: Symbol) -> Result<Id, Error> {
        Ok(self.after(at, Letter::Internal(on)))
    }

    fn call(&mut self, at: Id, on: Symbol) -> Result<Id, Error> {
        Ok(self.after(at, Letter::Call(on)))
    }

    fn ret(&mut self, exit: Id, _call: Id, on: Symbol) -> Result<Id, Error> {
        Ok(self.after(exit, Letter::Return(on)))
    }

    fn accepts(&self, at: Id) -> bool {
        at as usize == self.letters.len()
    }
}
