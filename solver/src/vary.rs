//! The dimensions that are drawn at random.

use std::collections::BTreeSet;

use super::dimension::DimensionId;

/// The dimensions that are drawn at random. The others keep their default value: the baseline's, or the simplest if no
/// value of the baseline fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Vary {
    /// Every dimension.
    All,
    /// Each dimension with this probability (0 to 1).
    Share(f64),
    /// Only these, by their whole names.
    Only(BTreeSet<DimensionId>),
}

impl Vary {
    /// Only the dimensions with these whole names.
    pub fn only<D: Into<DimensionId>>(dimensions: impl IntoIterator<Item = D>) -> Self {
        Self::Only(dimensions.into_iter().map(Into::into).collect())
    }

    /// No dimension.
    pub fn none() -> Self {
        Self::Only(BTreeSet::new())
    }
}
