//! The progress of a scheduler in one dimension.

use inverter::solve::Choices;

/// The number of requests in a row without a new class after which a dimension is exhausted, if it has at most this
/// number of classes. The last of many classes is drawn late, so a dimension with more classes than this gets as many
/// requests as it has classes.
const RETRIES: usize = 3;

/// The limit for a dimension that is absent from the seed and has not occurred, because it may exist only together with
/// others.
const RETRIES_IF_ABSENT: usize = 1;

/// The progress in one dimension.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Its name.
    pub name: String,
    /// True if its values select features.
    pub is_feature: bool,
    /// True if the seed has no value for it, so that it occurs, and varies, only together with others.
    pub absent_in_seed: bool,
    /// The number of latest requests in a row without a new class.
    pub failures: usize,
    /// The number of classes that have occurred in judged files.
    pub classes: usize,
    /// The number of requests for this dimension alone that had a new class, or are pending.
    pub requests: usize,
    /// The number of judged files in which it varied, plus the requests for it in files in which it may exist.
    pub tries: usize,
}

impl Progress {
    /// The progress in a dimension, for a base with its `own` choices, before the first file.
    pub fn of(dimension: &str, is_feature: bool, own: &Choices) -> Self {
        Self {
            name: dimension.to_owned(),
            is_feature,
            absent_in_seed: own.get(dimension).is_none(),
            failures: 0,
            classes: 0,
            requests: 0,
            tries: 0,
        }
    }

    /// Returns true if further files that vary this dimension alone are not expected to have a new class.
    pub fn is_exhausted(&self) -> bool {
        let absent = self.absent_in_seed && self.classes == 0;
        self.failures >= if absent { RETRIES_IF_ABSENT } else { RETRIES.max(self.classes) }
    }

    /// Returns true if it may vary with some values of others: it did so in a judged file, or there were few tries.
    pub fn may_vary(&self) -> bool {
        self.classes > 0 || self.tries < RETRIES
    }
}
