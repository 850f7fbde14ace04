//! Solves predicates without a closed form by Z3.
//!
//! Successive models of Z3 hardly differ, so the caller proposes values and Z3 only decides whether
//! they can be completed. Z3's resource count, which is the same on every machine and run, bounds
//! the effort. The time and memory limits behind it can end a run, but never change a result.
//!
//! Without the feature `z3` every query fails with [`Failure::NoSolver`].

#![cfg_attr(
    not(feature = "z3"),
    expect(dead_code, reason = "only queries to Z3 read unknowns and make failures")
)]

#[cfg(feature = "z3")]
mod query;

#[cfg(feature = "z3")]
pub(crate) use query::{comparison, int, limit_memory, operation};

use crate::program::{Atom, Pred};

/// An unknown: a scalar or element, with its type's range.
#[derive(Debug, Clone)]
pub struct Unknown {
    /// The atom that stands for it in predicates.
    pub atom: Atom,
    /// Its least and greatest value.
    pub range: (i128, i128),
}

/// The reason why no values were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There are none: these predicates (by index) contradict each other.
    Clash(Vec<usize>),
    /// Z3 gave up.
    GaveUp(String),
    /// This build has no Z3.
    #[cfg_attr(feature = "z3", expect(dead_code, reason = "only builds without Z3 make it"))]
    NoSolver,
}

impl Failure {
    /// Returns the message that values of `names` were not found, for a failure that is no clash.
    pub fn message(&self, names: &str) -> String {
        match self {
            Failure::Clash(_) => format!("no values of {names} satisfy the constraints"),
            Failure::GaveUp(why) => {
                format!("Z3 found no values for {names} and no proof that there are none ({why})")
            }
            Failure::NoSolver => format!(
                "the constraints of {names} have no closed form and need Z3, which this build lacks: build with the \
                 feature `z3`"
            ),
        }
    }
}

/// Returns the `n`-th value to try for unknown `k`, if it has one.
pub type Propose<'p> = &'p mut (dyn FnMut(usize, usize) -> Option<i128> + Send + Sync);

/// The values, in the order of the unknowns.
pub type Answer = Result<Vec<i128>, Failure>;

/// Finds values for `unknowns` that satisfy all of `preds`, in which nothing else is unknown. For
/// each unknown it takes the first proposed value that can be completed, else one of Z3's own.
///
/// # Errors
///
/// [`Failure`].
pub fn solve(unknowns: &[Unknown], preds: &[Pred], propose: Propose<'_>) -> Answer {
    super::count::query();
    #[cfg(feature = "z3")]
    return query::solve(unknowns, preds, propose);
    #[cfg(not(feature = "z3"))]
    {
        let _ = (unknowns, preds, propose);
        Err(Failure::NoSolver)
    }
}
