//! Combinations that are not covered, with the reason.

use serde::Serialize;

/// The evidence that classes do not occur together. None is a proof for all choices: that would
/// take the constraints themselves, of which choices show only the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// Values of both were given, and a constraint that names one of them refused it each time.
    Refused,
    /// The two need different classes of a third dimension; the pairs with those classes were
    /// refused or not found themselves.
    Excluded,
    /// Attempts came out otherwise. The combination may be possible.
    NotFound,
}

/// Classes of different dimensions that did not occur together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The dimension and class of each: two or three.
    pub classes: Vec<(String, String)>,
    /// The evidence.
    pub how: GapKind,
    /// The constraint, or the values that came out instead.
    pub why: String,
}
