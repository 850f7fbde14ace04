//! The knowledge by which a night's buckets are judged.

use std::collections::{BTreeMap, BTreeSet};

use super::related::Libraries;
use crate::nightly::Accepted;
use crate::store::{Bucket, BucketKey, LastRecheck};
use campaign::Rechecked;

/// The knowledge before tonight's buckets are judged.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The buckets that were reported by earlier nights, or found by `repfuzz fuzz`.
    pub reported: Vec<Bucket>,
    /// The buckets among them that are fixed.
    pub fixed: BTreeSet<BucketKey>,
    /// The buckets among them whose files later had a better outcome, such as a refusal after a crash.
    pub gone: BTreeSet<BucketKey>,
    /// The results of rechecks tonight.
    pub rechecked: BTreeMap<BucketKey, Rechecked>,
    /// The rechecks of earlier nights.
    pub earlier_rechecks: BTreeMap<BucketKey, LastRecheck>,
    /// Tonight's hangs that were disproved: their clients ended when they had more time.
    pub disproved: BTreeSet<BucketKey>,
    /// The accepted findings.
    pub accepted: Accepted,
    /// The versions of tonight's clients, by name.
    pub versions: BTreeMap<String, String>,
    /// The clients whose programs have been the same for some nights: a finding in them that no earlier night met is
    /// most likely as old as the program.
    pub unchanged: BTreeSet<String>,
    /// The libraries with which clients read.
    pub libraries: Libraries,
}

impl Known {
    /// Returns true if a night reported that this bucket is fixed, or that its outcome is gone.
    pub(super) fn was_fixed(&self, key: &BucketKey) -> bool {
        self.fixed.contains(key) || self.gone.contains(key)
    }
}

/// The date of a time.
pub(super) fn date(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}
