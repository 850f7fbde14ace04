//! Restrictions: the dimensions that may vary, and the values of some of the others.
//!
//! A restriction holds for every variant made from a seed, regardless of what varies, is preferred or is proposed. It
//! never makes a dimension exist: a fixed value applies only where the dimension exists.

use std::fmt;
use std::sync::Arc;

use super::choices::{Choice, Choices};
use super::dimension::DimensionId;

/// Returns true for the whole name of a dimension that may vary.
type MayVary = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The dimensions that may vary, and the values of those that may not.
#[derive(Clone)]
pub struct Restriction {
    may_vary: MayVary,
    fixed: Choices,
    kept: Arc<Choices>,
}

impl Restriction {
    /// A restriction under which a dimension varies if `may_vary` returns true for its whole name. The others have
    /// their simplest value.
    pub fn new(may_vary: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { may_vary: Arc::new(may_vary), fixed: Choices::new(), kept: Arc::default() }
    }

    /// Sets the values that dimensions have wherever they exist. These dimensions do not vary.
    #[must_use]
    pub fn with_fixed(mut self, fixed: Choices) -> Self {
        self.fixed = fixed;
        self
    }

    /// Sets the seed's values, which dimensions that may not vary keep if they fit.
    #[must_use]
    pub fn with_kept(mut self, kept: impl Into<Arc<Choices>>) -> Self {
        self.kept = kept.into();
        self
    }

    /// The values that dimensions have wherever they exist.
    pub fn fixed(&self) -> &Choices {
        &self.fixed
    }

    /// The values that dimensions which may not vary keep if they fit.
    pub fn kept(&self) -> &Arc<Choices> {
        &self.kept
    }

    /// Returns true if `dimension` may vary.
    pub fn may_vary(&self, dimension: impl Into<DimensionId>) -> bool {
        let id = dimension.into();
        self.fixed.get(id).is_none() && (self.may_vary)(id.name())
    }

    /// The value that a dimension keeps if it fits.
    pub(super) fn kept_value(&self, id: DimensionId) -> Option<&Choice> {
        self.kept.get(id)
    }
}

impl fmt::Debug for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fixed, kept, .. } = self;
        f.debug_struct("Restriction").field("fixed", fixed).field("kept", kept).finish()
    }
}
