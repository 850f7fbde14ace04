//! The pictures that a client shows of the seed, with which all its other results are compared.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use crate::oracle::{self, Outcome};
use clients::Reply;

/// The baseline of a client, or the reason why it cannot be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ClientState {
    /// It reads the seed.
    Ready(Baseline),
    /// It fails on the seed itself.
    CannotRead {
        /// The outcome.
        outcome: Outcome,
        /// The client's message.
        message: String,
    },
    /// Two runs on the seed showed different pictures.
    Unsteady,
    /// It read the seed in one of two runs, and failed in the other.
    FailedOnce {
        /// The outcome of the run that failed.
        outcome: Outcome,
        /// Its message.
        message: String,
    },
    /// It could not be run at all: a problem of this machine, not of the client.
    CannotRun(String),
}

/// The pictures with which a client's results are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The client's picture of the file from which variants derive.
    #[serde(with = "super::pack::picture")]
    pub seed: Picture,
    /// True if the client fails on that file. In that case, `finding` is the failure, and `seed` is the right output
    /// according to the client's contract or, if there is none, its picture of the seed file.
    #[serde(default)]
    pub base_fails: bool,
    /// The client's picture of the re-encoded seed, if that differs. The difference is a separate finding, and this
    /// picture is the reference for all variants.
    #[serde(rename = "anew", with = "super::pack::maybe_picture")]
    pub reencoded: Option<Picture>,
    /// The difference between the client's results on the seed and on the re-encoded seed.
    pub finding: Option<ReencodedSeed>,
    /// The file from which the client's causes derive, if the client fails on the file from which variants derive but
    /// reads another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadFile>,
}

/// A file of the seed's picture that a client reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadFile {
    /// The file.
    #[serde(with = "super::pack::bytes")]
    pub bytes: Vec<u8>,
    /// The choices that it embodies.
    pub own: Choices,
}

/// A difference on the re-encoded seed, which is the file made from the seed's own choices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReencodedSeed {
    /// The outcome of the first run.
    pub outcome: Outcome,
    /// The outcome of the second run.
    pub again: Outcome,
    /// True if the two runs disagree.
    pub flaky: bool,
    /// The client's message.
    pub message: String,
    /// The picture of the first run, if that is not the one with which variants are compared.
    #[serde(default, with = "super::pack::maybe_picture")]
    pub got: Option<Picture>,
}

impl Baseline {
    /// Returns the picture with which variants are compared.
    pub fn reference(&self) -> &Picture {
        self.reencoded.as_ref().unwrap_or(&self.seed)
    }
}

impl ClientState {
    /// Returns the name of the state in `results.jsonl`.
    pub fn word(&self) -> &'static str {
        match self {
            ClientState::Ready(_) => "ready",
            ClientState::CannotRead { .. } => "cannot-read-seed",
            ClientState::Unsteady | ClientState::FailedOnce { .. } => "unsteady",
            ClientState::CannotRun(_) => "cannot-run",
        }
    }

    /// Returns the reason why the client cannot be judged, as the end of a sentence; `None` if it can be judged.
    pub fn objection(&self) -> Option<&'static str> {
        match self {
            ClientState::Ready(_) => None,
            ClientState::CannotRead { .. } => Some("cannot read the seed"),
            ClientState::Unsteady => Some("two runs on the seed gave two results"),
            ClientState::FailedOnce { .. } => {
                Some("two runs on the seed gave two results, and one failed")
            }
            ClientState::CannotRun(_) => Some("cannot be run"),
        }
    }

    /// The state of a client that showed `picture` for the seed and then gave another reply.
    pub(crate) fn unsteady(picture: &Picture, again: &Reply) -> Self {
        match oracle::judge(picture, again) {
            Outcome::Wrong | Outcome::Same => ClientState::Unsteady,
            outcome => {
                ClientState::FailedOnce { outcome, message: oracle::message(again).to_owned() }
            }
        }
    }

    /// Sets the file from which the client's causes derive.
    pub(crate) fn derive_from(&mut self, file: ReadFile) {
        if let ClientState::Ready(baseline) = self {
            baseline.read = Some(file);
        }
    }

    /// Returns the baseline of a client that can be judged.
    pub fn baseline(&self) -> Option<&Baseline> {
        match self {
            ClientState::Ready(baseline) => Some(baseline),
            _ => None,
        }
    }
}
