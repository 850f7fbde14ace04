//! Reasons why states are not listed.

use crate::library::{Place, Problem};

/// A reason why states are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The library has a problem, or the time limit has passed.
    Problem(Problem),
    /// There is too much to list. The problem states what.
    TooMuch(Problem),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Stop {
    /// The problem that stopped the listing.
    pub fn problem(self) -> Problem {
        match self {
            Self::Problem(problem) | Self::TooMuch(problem) => problem,
        }
    }
}

/// A stop because there is too much to list.
pub(super) fn too_much(place: Place, message: impl Into<String>) -> Stop {
    Stop::TooMuch(Problem::new(place, message))
}
