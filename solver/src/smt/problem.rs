//! Unknowns, and the answer to a query.

#![cfg_attr(
    not(feature = "z3"),
    expect(dead_code, reason = "only queries to Z3 read unknowns and make failures")
)]

use language::program::Atom;

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
    /// There are no values, because these predicates (by index) contradict each other.
    Clash(Vec<usize>),
    /// Z3 gave up.
    GaveUp(String),
    /// Z3 is missing, for the given reason.
    NoSolver(String),
}

impl Failure {
    /// Returns the message that no values were found for `names`, for a failure other than a clash.
    pub fn message(&self, names: &str) -> String {
        match self {
            Failure::Clash(_) => format!("no values of {names} satisfy the constraints"),
            Failure::GaveUp(why) => {
                format!("Z3 found no values for {names} and no proof that there are none ({why})")
            }
            Failure::NoSolver(why) => {
                format!("the constraints of {names} have no closed form: {why}")
            }
        }
    }
}

#[cfg(feature = "z3")]
impl From<z3::Unavailable> for Failure {
    fn from(why: z3::Unavailable) -> Self {
        Self::NoSolver(why.to_string())
    }
}

/// Returns the `n`-th value to try for unknown `k`, if it has one.
pub type Propose<'p> = &'p mut (dyn FnMut(usize, usize) -> Option<i128> + Send + Sync);

/// The values, in the order of the unknowns.
pub type Answer = Result<Vec<i128>, Failure>;
