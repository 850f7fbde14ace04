//! Canonical values: what files mean.

use tiff_harness::Picture;

use crate::subject::Subject;

/// A canonical value: equal for two files if and only if they mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canonical {
    /// A picture. For a TIFF file with several pages it is the first one.
    Picture(Picture),
    /// Another value in one line: as JSON, or for a TIFF file without exact colors a summary with a digest.
    Value(String),
}

impl Canonical {
    /// Returns the canonical value of a seed.
    pub(crate) fn of(seed: &dyn Subject) -> Self {
        match seed.value() {
            Some(value) => Self::Value(value),
            None => Self::Picture(seed.picture().clone()),
        }
    }
}
