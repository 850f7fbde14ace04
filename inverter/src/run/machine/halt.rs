//! The reasons why code ends early.

use crate::program::FieldId;

/// Something is not as code expects it: the interpreter shall look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Irregular;

/// The reason why the code of a statement ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The interpreter shall run it.
    Irregular,
    /// This input array shall be allocated; then the code is run again.
    Allocate(FieldId),
}

impl From<Irregular> for Halt {
    fn from(_: Irregular) -> Self {
        Halt::Irregular
    }
}
