//! Proves, for all sizes, that each output element is assigned exactly once for every input that
//! the assumptions allow.
//!
//! Three claims are proved for each output array, each by refuting its negation: every index is inside the lengths; two
//! different iterations, of one statement or of two, never write the same element; and no element is left out. The last
//! claim is that an iteration exists for every element. To keep it free of quantifiers, `witness` solves the index for
//! the loop variables, and Z3 refutes that, for an arbitrary element, no statement writes it in the iteration found. If
//! the lengths depend on the branch that assigns them, each case is proved separately.

#[cfg(feature = "z3")]
mod collect;
#[cfg(feature = "z3")]
mod facts;
#[cfg(feature = "z3")]
mod logic;
#[cfg(feature = "z3")]
mod proof;
#[cfg(feature = "z3")]
mod witness;

#[cfg(feature = "z3")]
#[doc(hidden)]
pub use collect::{Collected, Step, Write, collect, loops};
#[cfg(feature = "z3")]
#[doc(hidden)]
pub use proof::{Mistake, never};
#[cfg(feature = "z3")]
pub use proof::{unproved, unproved_if_inside};

use crate::program::Program;

/// A claim about an output that could not be proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproved {
    /// The output's name.
    pub output: String,
    /// The claim.
    pub what: Claim,
}

/// A claim about an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Its lengths are assigned before it is.
    Lengths,
    /// All written indices are inside its lengths.
    Inside,
    /// No element is assigned twice.
    AtMostOnce,
    /// All elements are assigned.
    AtLeastOnce,
    /// Nothing was tried, because there are too many statements or combinations of lengths.
    Untried,
    /// No proof was tried, because Z3 is missing.
    NoSolver,
}

#[cfg(feature = "z3")]
impl Claim {
    /// Returns true if more laws of products may prove it.
    fn is_of_indices(self) -> bool {
        matches!(self, Claim::Inside | Claim::AtMostOnce | Claim::AtLeastOnce)
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Claim::Lengths => "that its lengths are known before",
            Claim::Inside => "that every index is inside",
            Claim::AtMostOnce => "that no element is assigned twice",
            Claim::AtLeastOnce => "that every element is assigned",
            Claim::Untried => "anything, as there is too much of it",
            Claim::NoSolver => "anything, as there is no Z3",
        })
    }
}

/// Returns all outputs, because nothing is proved without Z3.
pub fn nothing_proved(program: &Program) -> Vec<Unproved> {
    let of = |name: &str| Unproved { output: name.to_owned(), what: Claim::NoSolver };
    program.output.fields.iter().map(|f| of(&f.name)).collect()
}

#[cfg(not(feature = "z3"))]
pub use nothing_proved as unproved;
#[cfg(not(feature = "z3"))]
pub use nothing_proved as unproved_if_inside;
