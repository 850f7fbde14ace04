//! What is not covered, and what is known of why.

use serde::Serialize;

/// How it is known that classes do not occur together. None of these is a proof for all
/// choices: that would need the constraints themselves, of which choices show only the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Values of both were given, and every time one of them was refused by a constraint,
    /// which is named.
    Refused,
    /// What each of them needs of a third dimension excludes the other; all of that was
    /// itself refused, or not found.
    Excluded,
    /// Attempts came out otherwise: it may be possible.
    NotFound,
}

/// Classes of different dimensions that do not occur together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// Dimension and class of each: two of them, or three.
    pub classes: Vec<(String, String)>,
    /// How this is known.
    pub how: How,
    /// The constraint, or what came out instead.
    pub why: String,
}
