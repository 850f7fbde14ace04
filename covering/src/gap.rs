//! Combinations that are not covered, with the reasons.

use serde::Serialize;

/// The evidence that classes do not occur together. It never proves this for all choices, which would require the
/// constraints themselves; choices show only their effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// Values of both were given, and each time a constraint that names one of them refused it.
    Refused,
    /// The two need different classes of a third dimension; the pairs with those classes were
    /// refused or not found themselves.
    Excluded,
    /// Attempts led to other classes. The combination may be possible.
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
