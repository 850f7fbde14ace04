//! The settings of a campaign, and its origin for the report.

use std::time::Duration;

use equivalents::Restriction;
use serde::{Deserialize, Serialize};

use equivalents::max_size::MaxSize;

/// The default of [`Settings::hang_limit`].
pub const HANG_LIMIT: usize = 5;

/// The amount of work of a campaign, and the strategy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The number of variants.
    pub variants: usize,
    /// The run seed: all randomness is derived from it.
    pub seed: u64,
    /// The number of threads.
    pub jobs: usize,
    /// The number of simultaneous runs of clients that mostly wait, in addition to those of other clients.
    #[serde(skip)]
    pub waiting: usize,
    /// The number of hangs due to one value class after which a client skips variants with it.
    pub hang_limit: usize,
    /// The maximum number of findings of one client and outcome that are reduced.
    pub reductions: usize,
    /// The order in which variants are made.
    pub guidance: Guidance,
    /// The time for the variants, counted from reading the seed. All findings made by then are still reduced.
    pub time: Option<Duration>,
    /// The time for the reduction. A cause that is not reduced by then may name too many
    /// dimensions.
    pub reduce_time: Option<Duration>,
    /// The dimensions that vary, and fixed values; the subject already complies with them.
    #[serde(skip_serializing_if = "Restriction::is_empty")]
    pub restriction: Restriction,
    /// True if conventions of readers count as faults.
    #[serde(skip_serializing_if = "is_default")]
    pub strict: bool,
    /// The maximum number of bytes that the seed may take once it is decoded; pages beyond that are not part of the
    /// subject.
    #[serde(skip_serializing_if = "is_default")]
    pub max_size: MaxSize,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            variants: 200,
            seed: 1,
            jobs: 1,
            waiting: 1,
            hang_limit: HANG_LIMIT,
            reductions: 200,
            guidance: Guidance::default(),
            time: None,
            reduce_time: None,
            restriction: Restriction::new(),
            strict: false,
            max_size: MaxSize::default(),
        }
    }
}

/// The order in which variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guidance {
    /// Prefers combinations that have not been tried, and avoids known causes.
    #[default]
    Guided,
    /// The same, with half of the variants derived from variants that reached new edges of a client.
    Edges,
    /// Independent of all results.
    Random,
}

impl Guidance {
    /// Returns true if results influence which variants are made and run.
    pub fn learns(self) -> bool {
        self != Self::Random
    }
}

/// The origin of a run, for the report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The command line that repeats the run.
    pub command: String,
    /// The seed file, as the user named it.
    pub seed_file: String,
    /// The name of its format; empty for TIFF, and in older stores.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub format: String,
}
