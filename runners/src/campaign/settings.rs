//! How much a campaign does, and where it came from.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How often a client may hang for one reason, unless it is said.
pub const HANG_LIMIT: usize = 5;

/// How much to do, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How many variants.
    pub variants: usize,
    /// The run's number: all randomness comes from it.
    pub seed: u64,
    /// How many threads.
    pub jobs: usize,
    /// How often a client may hang for one reason before the like is left out.
    pub hang_limit: usize,
    /// How many findings of one client and outcome are reduced at most.
    pub reductions: usize,
    /// In which order variants are made.
    pub guidance: Guidance,
    /// How long the variants may take, reading the seed included. What was found by then is
    /// still reduced, briefly.
    pub time: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            variants: 200,
            seed: 1,
            jobs: 1,
            hang_limit: HANG_LIMIT,
            reductions: 40,
            guidance: Guidance::default(),
            time: None,
        }
    }
}

/// What the report says about where the run came from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The command line that does it again.
    pub command: String,
    /// The seed file, as the user named it.
    pub seed_file: String,
}

/// In which order variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guidance {
    /// Towards what was not tried yet, and away from what is known to fail.
    #[default]
    Guided,
    /// Each by itself.
    Random,
}
