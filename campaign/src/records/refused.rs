//! Variants that repfuzz's own reader refuses.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};

/// A variant that was left out because repfuzz's own reader refused it or its construction panicked. This is an
/// internal error, for which no client is to blame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedVariant {
    /// A description of the problem.
    pub what: String,
    /// The choices that reproduce it.
    pub choices: Choices,
}
