//! Predictions about a client from its source, as made by `repfuzz conform --client-source`.

use conformance::client::Effect;
use serde::{Deserialize, Serialize};

use crate::oracle::Outcome;

/// A prediction about one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predicted {
    /// The dimension.
    pub dimension: String,
    /// The values to which the prediction applies, as text.
    pub values: String,
    /// The outcome.
    pub effect: Effect,
    /// The reason: one sentence without a period.
    pub why: String,
    /// The file of the client's source that is the reason.
    pub file: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<u32>,
    /// File and line of libtiff's source, if the fault is there.
    #[serde(default)]
    pub libtiff: Option<String>,
    /// `confirmed` or `refuted` by the client's contract.
    #[serde(default)]
    pub contract: Option<String>,
}

impl Predicted {
    /// Returns true if an outcome of files that vary in these dimensions matches the prediction. A prediction about
    /// tiles also covers the sizes of tiles.
    pub fn is_seen_in(&self, dimensions: &[String], outcome: Outcome) -> bool {
        let about = |dimension: &String| {
            let tiles = ["tiled", "tile_width", "tile_length"];
            *dimension == self.dimension
                || (tiles.contains(&dimension.as_str()) && tiles.contains(&self.dimension.as_str()))
        };
        let fits = match self.effect {
            Effect::Wrong => outcome == Outcome::Wrong,
            Effect::Refused => outcome == Outcome::Refused,
            Effect::WrongOrRefused => matches!(outcome, Outcome::Wrong | Outcome::Refused),
            Effect::BitsLost | Effect::FirstPage => false,
        };
        fits && dimensions.iter().any(about)
    }
}
