//! Boundary values: the number at which a client starts to fail.

use serde::{Deserialize, Serialize};

/// The boundary between the values of a dimension that pass and those that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boundary {
    /// The smallest number that fails; the one below passes.
    From(i128),
    /// The largest number that fails; the one above passes.
    UpTo(i128),
}

impl Boundary {
    /// Returns true if `n` is on the failing side.
    pub fn covers(self, n: i128) -> bool {
        match self {
            Boundary::From(first) => n >= first,
            Boundary::UpTo(last) => n <= last,
        }
    }
}
