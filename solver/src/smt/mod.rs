//! Solves predicates without a closed form with Z3.
//!
//! Successive models of Z3 hardly differ, so the caller proposes values and Z3 only decides whether they can be
//! completed. Z3's resource count, which is the same on every machine and run, bounds the effort. The time and memory
//! limits, which are only a fallback, can end a run, but never change a result.
//!
//! Without libz3, or without the feature `z3`, every query fails with [`Failure::NoSolver`].

mod problem;
#[cfg(feature = "z3")]
mod query;

#[cfg(feature = "z3")]
pub use query::{comparison, int, operation};

pub use problem::{Answer, Failure, Propose, Unknown};

use language::program::Pred;

/// Finds values for `unknowns` that satisfy all of `preds`, which contain no other unknowns. For each unknown it takes
/// the first proposed value that can be completed, or else one of Z3's own.
///
/// # Errors
///
/// Returns [`Failure`].
pub fn solve(unknowns: &[Unknown], preds: &[Pred], propose: Propose<'_>) -> Answer {
    super::count::query();
    #[cfg(feature = "z3")]
    return query::solve(unknowns, preds, propose);
    #[cfg(not(feature = "z3"))]
    {
        let _ = (unknowns, preds, propose);
        Err(Failure::NoSolver(NOT_BUILT.to_owned()))
    }
}

/// The message of builds without the feature `z3`.
#[cfg(not(feature = "z3"))]
const NOT_BUILT: &str = "this needs Z3, which this build lacks: build with the feature `z3`";

/// Loads Z3, unless this was already tried.
///
/// # Errors
///
/// Returns a one-line message if Z3 is missing: nothing will be proved, and constraints without a closed form will have
/// no solution.
pub fn require_z3() -> Result<(), String> {
    #[cfg(feature = "z3")]
    return z3::load().map(|_| ()).map_err(|why| why.to_string());
    #[cfg(not(feature = "z3"))]
    Err(NOT_BUILT.to_owned())
}
