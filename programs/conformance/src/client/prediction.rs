//! Predictions state which dimensions a client gets wrong, refuses, or shows with fewer bits.

use serde::{Deserialize, Serialize};

use crate::program::Place;

/// The outcome that is predicted for some values of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The picture is wrong, and no error is reported.
    Wrong,
    /// The file is refused.
    Refused,
    /// The picture is wrong, or the file is refused.
    WrongOrRefused,
    /// Low bits of samples are lost.
    BitsLost,
    /// Pages after the first are not shown.
    FirstPage,
}

impl Effect {
    /// Returns the outcome in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Refused => "refused",
            Self::WrongOrRefused => "wrong or refused",
            Self::BitsLost => "low bits lost",
            Self::FirstPage => "only the first page is shown",
        }
    }
}

/// The version of libtiff that [`Origin::Libtiff`] refers to.
pub const LIBTIFF: &str = "libtiff 4.5.0";

/// The source that contains the reason for a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The source of the client.
    Client,
    /// The source of [libtiff](LIBTIFF), at this file and line: the client has the fault because of the interface that
    /// it uses to read pixels.
    Libtiff(&'static str),
}

/// A prediction about one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prediction {
    /// The dimension, by its name in campaigns.
    pub dimension: &'static str,
    /// The values that it is about, as text.
    pub values: String,
    /// The outcome.
    pub effect: Effect,
    /// The reason: one sentence without a period.
    pub why: String,
    /// The call that reads the pixels, or the one that is the reason.
    pub place: Option<Place>,
    /// The source that has the fault.
    pub origin: Origin,
}
