//! The end of a run.

/// The reason why a run ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The input is not a representation, or not one of this value.
    Dead,
    /// The exploration has exceeded its bounds.
    Spent,
}

/// The result of a part of a run.
pub type Step<T> = Result<T, Halt>;
