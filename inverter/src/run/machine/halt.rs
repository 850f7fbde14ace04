//! The reasons why code ends early.

use crate::program::FieldId;

/// Code found an unexpected situation, so the interpreter must run the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Irregular;

/// The reason why the code of a statement ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The interpreter must run the statement.
    Irregular,
    /// This input array must be allocated before the code is run again.
    Allocate(FieldId),
}

impl From<Irregular> for Halt {
    fn from(_: Irregular) -> Self {
        Halt::Irregular
    }
}
