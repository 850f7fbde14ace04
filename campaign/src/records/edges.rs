//! The edges that a client reached in a run, for its summary.

use serde::{Deserialize, Serialize};

use clients::Edges;

/// The edges of a client on the seed.
#[derive(Debug, Clone, PartialEq)]
pub enum SeedEdges {
    /// It published none.
    Missing,
    /// Two runs on one file reached different edges.
    Unsteady,
    /// The edges of all files that represent the seed: the seed itself, the re-encoded seed, and the plainest file of
    /// its picture.
    Known(Edges),
}

/// The edges that a client reached in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum EdgeSummary {
    /// It published none, although its description says that it does.
    Missing,
    /// Two runs on the seed reached different edges, so they were not used.
    Unsteady,
    /// It published them.
    Known {
        /// The number of edges of its build.
        build: usize,
        /// The number of edges that the seed reaches.
        seed: usize,
        /// The edges that only variants reach, by their numbers in the build.
        beyond: Vec<usize>,
        /// The variants that first reached some edges, each with the number of these edges.
        found: Vec<(u64, usize)>,
        /// The places of the edges that only variants reach, if they are known: `function at file:line`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<String>,
    },
}
