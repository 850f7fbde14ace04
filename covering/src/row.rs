//! One row of a covering array.

use inverter::solve::{ChoiceSource, Choices};

/// A set of choices to keep.
#[derive(Debug, Clone)]
pub struct Row {
    /// The source that makes these choices.
    pub source: ChoiceSource,
    /// The choices.
    pub choices: Choices,
}
