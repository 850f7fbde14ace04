//! Soft constraints: the value class that a dimension should have if possible.
//!
//! A soft constraint is weaker than a given choice. If a dimension cannot have the class, it gets the value that it
//! would have without the constraint, and nothing is refused.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::choices::Choice;
use super::dimension::DimensionId;
use super::stream::Stream;

/// Returns the class of a dimension's value.
pub type Classify = Arc<dyn Fn(&str, &Choice) -> String + Send + Sync>;

/// The number of values that are drawn to find one of the class.
const DRAWS: usize = 32;

/// A value class that a dimension should have.
#[derive(Debug, Clone)]
pub struct SoftConstraint {
    /// The class.
    pub class: String,
    /// Values of the class, in order of preference: the first that fits is taken.
    pub examples: Vec<Choice>,
}

/// Soft constraints by dimension.
#[derive(Clone)]
pub struct SoftConstraints {
    by_dimension: IndexMap<DimensionId, SoftConstraint, FxBuildHasher>,
    classify: Classify,
}

impl SoftConstraints {
    /// No constraints; `classify` returns the class of a value.
    pub fn new(classify: Classify) -> Self {
        Self { by_dimension: IndexMap::default(), classify }
    }

    /// Adds the constraint of a dimension, by its whole name.
    pub fn add(&mut self, dimension: impl Into<DimensionId>, constraint: SoftConstraint) {
        self.by_dimension.insert(dimension.into(), constraint);
    }

    /// Returns true if `dimension` has a constraint.
    pub(super) fn has(&self, dimension: DimensionId) -> bool {
        self.by_dimension.contains_key(&dimension)
    }

    /// Returns a value that satisfies both the constraint of `dimension` and `fits`: an example, or a value drawn with
    /// `rng`.
    pub(super) fn value(
        &self,
        dimension: DimensionId,
        fits: impl Fn(&Choice) -> bool,
        rng: impl FnOnce() -> Stream,
        mut draw: impl FnMut(&mut Stream) -> Choice,
    ) -> Option<Choice> {
        let constraint = self.by_dimension.get(&dimension)?;
        if let Some(example) = constraint.examples.iter().find(|value| fits(value)) {
            return Some(example.clone());
        }
        let mut rng = rng();
        let is_of_class =
            |value: &Choice| (self.classify)(dimension.name(), value) == constraint.class;
        (0..DRAWS).map(|_| draw(&mut rng)).find(|value| is_of_class(value) && fits(value))
    }

    /// Moves the `members` that satisfy the constraint of `dimension` to the front.
    pub(super) fn prefer(&self, dimension: DimensionId, members: &mut [i128]) {
        if let Some(constraint) = self.by_dimension.get(&dimension) {
            let class = |n: &i128| (self.classify)(dimension.name(), &Choice::Int(*n));
            members.sort_by_cached_key(|n| class(n) != constraint.class);
        }
    }
}

impl fmt::Debug for SoftConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.by_dimension).finish()
    }
}
