//! What each client makes of the seed: the measure of everything after.

use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use crate::oracle::Outcome;

/// Whether and by what a client can be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum State {
    /// It reads the seed.
    Ready(Baseline),
    /// It fails on the seed itself.
    CannotRead {
        /// How.
        outcome: Outcome,
        /// Its own words.
        message: String,
    },
    /// Two runs on the seed gave two results.
    Unsteady,
    /// It could not be run at all: trouble on our side.
    CannotRun(String),
}

/// The pictures that a client is measured by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// What it makes of the seed.
    #[serde(with = "super::pack::picture")]
    pub seed: Picture,
    /// What it makes of the seed written anew with the same choices, if that is another
    /// picture: a finding of its own, and then the measure of the variants.
    #[serde(with = "super::pack::maybe_picture")]
    pub anew: Option<Picture>,
    /// What it does with the seed written anew, if it differs from the seed.
    pub finding: Option<Anew>,
}

/// A difference on the seed written anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Anew {
    /// What the client does.
    pub outcome: Outcome,
    /// What it does the second time.
    pub again: Outcome,
    /// Whether the two runs disagree.
    pub flaky: bool,
    /// Its own words.
    pub message: String,
}

impl Baseline {
    /// What variants are compared with.
    pub fn reference(&self) -> &Picture {
        self.anew.as_ref().unwrap_or(&self.seed)
    }
}

impl State {
    /// The word for it in the results.
    pub fn word(&self) -> &'static str {
        match self {
            State::Ready(_) => "ready",
            State::CannotRead { .. } => "cannot-read-seed",
            State::Unsteady => "unsteady",
            State::CannotRun(_) => "cannot-run",
        }
    }

    /// Why a client cannot be judged, as the end of a sentence; `None` for one that can.
    pub fn objection(&self) -> Option<&'static str> {
        match self {
            State::Ready(_) => None,
            State::CannotRead { .. } => Some("cannot read the seed"),
            State::Unsteady => Some("two runs on the seed gave two results"),
            State::CannotRun(_) => Some("cannot be run"),
        }
    }

    /// The baseline of a client that can be judged.
    pub fn baseline(&self) -> Option<&Baseline> {
        match self {
            State::Ready(baseline) => Some(baseline),
            _ => None,
        }
    }
}
