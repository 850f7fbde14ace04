//! Runs of a nested-word automaton: the transitions that accept a word.

use super::nwa::{Letter, Nwa};

/// A transition, by its position in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// In [`Nwa::internal`].
    Internal(usize),
    /// In [`Nwa::calls`].
    Call(usize),
    /// In [`Nwa::returns`].
    Return(usize),
}

impl Step {
    /// Returns the symbol that is read; `None` for an empty transition.
    pub fn letter(self, automaton: &Nwa) -> Option<Letter> {
        match self {
            Self::Internal(k) => automaton.internal[k].on.map(Letter::Internal),
            Self::Call(k) => Some(Letter::Call(automaton.calls[k].on)),
            Self::Return(k) => Some(Letter::Return(automaton.returns[k].on)),
        }
    }
}

/// The word that a run reads.
pub fn word(automaton: &Nwa, run: &[Step]) -> Vec<Letter> {
    run.iter().filter_map(|step| step.letter(automaton)).collect()
}
