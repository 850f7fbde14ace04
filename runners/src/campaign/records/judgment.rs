//! What a client made of one file, judged.

use tiff_harness::Picture;

use crate::client::Reply;
use crate::oracle::{self, Outcome};
use crate::subject::Variant;

/// What a client made of one file, without the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The oracle's word.
    pub outcome: Outcome,
    /// The digest of the picture, if it is another one.
    pub digest: Option<String>,
    /// The client's own words.
    pub message: String,
}

impl Judged {
    /// `reply`, held to `reference`.
    pub fn of(reference: &Picture, reply: &Reply) -> Self {
        let outcome = oracle::judge(reference, reply);
        let digest = match reply {
            Reply::Picture(picture) if outcome.is_difference() => Some(picture.digest()),
            _ => None,
        };
        Self { outcome, digest, message: oracle::message(reply).to_owned() }
    }

    /// The picture it should make.
    pub fn same() -> Self {
        Self { outcome: Outcome::Same, digest: None, message: String::new() }
    }

    /// Whether two runs on one file came to the same. Messages may differ, for many carry an
    /// address or a temporary name.
    pub fn agrees(&self, other: &Self) -> bool {
        (self.outcome, &self.digest) == (other.outcome, &other.digest)
    }
}

/// A file that was tried, and what came of it.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The file and all its choices.
    pub variant: Variant,
    /// What came of it.
    pub judged: Judged,
}
