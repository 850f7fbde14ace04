//! The oracle's result for one run of a client on one file.

use std::sync::Arc;

use tiff_harness::Picture;

use crate::oracle::{self, DifferenceKind, Outcome, Refusal, Signature, Usual, Wanted, classify};
use clients::{ExtraDifference, Reply, Spent};
use equivalents::subject::Variant;

/// A client's reply to one file, judged by the oracle, without the picture itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgment {
    /// The outcome.
    pub outcome: Outcome,
    /// The kind of difference of a wrong picture.
    pub difference: Option<DifferenceKind>,
    /// The digest of the client's picture, if it is not the expected one.
    pub digest: Option<String>,
    /// The client's message.
    pub message: String,
    /// The worker of a fleet that ran it; `None` if it ran here, or nothing was run.
    pub worker: Option<Arc<str>>,
    /// The processor time and the memory that the run took, if they were measured.
    pub spent: Option<Spent>,
}

impl Judgment {
    /// Compares `reply` with the expected picture.
    pub fn of(wanted: &Wanted<'_>, reply: &Reply) -> Self {
        let outcome = wanted.judge(reply);
        let got = match reply {
            Reply::Picture(picture) if outcome.is_difference() => Some(picture),
            _ => None,
        };
        let difference = match reply {
            Reply::Empty { .. } => Some(DifferenceKind::Empty),
            _ => got.map(|got| classify(wanted.nearest(got), got)),
        };
        Self {
            outcome,
            difference,
            digest: got.map(Picture::digest),
            message: oracle::message(reply).to_owned(),
            worker: None,
            spent: None,
        }
    }

    /// The judgment of a reply that is the expected picture.
    pub fn same() -> Self {
        Self {
            outcome: Outcome::Same,
            difference: None,
            digest: None,
            message: String::new(),
            worker: None,
            spent: None,
        }
    }

    /// Returns the judgment of a client of which an `extra` read is wrong, if the picture is as expected. A client that
    /// says that it does not support this need not do it.
    #[must_use]
    pub fn with_extra(self, extra: Option<ExtraDifference>) -> Self {
        let is_limit =
            |extra: &ExtraDifference| Refusal::of(&extra.message) == Refusal::Unsupported;
        match extra.filter(|extra| self.outcome == Outcome::Same && !is_limit(extra)) {
            Some(ExtraDifference { read, message }) => {
                Self { outcome: Outcome::Extra(read), message, ..self }
            }
            None => self,
        }
    }

    /// If the picture is as expected and `usual` is exceeded, returns the judgment with the outcome for its cost.
    #[must_use]
    pub fn weighed(self, usual: &Usual) -> Self {
        match self.spent.filter(|_| self.is_weighable()).and_then(|spent| usual.exceeded(&spent)) {
            Some((outcome, message)) => Self { outcome, message, ..self },
            None => self,
        }
    }

    /// Returns true if the picture is as expected, and the measurements depend on nothing but the file.
    pub fn is_weighable(&self) -> bool {
        self.outcome == Outcome::Same && self.spent.is_some_and(|spent| spent.alone)
    }

    /// Returns the signature, which reduction preserves.
    pub fn signature(&self) -> Signature {
        Signature::of(self.outcome, self.difference, &self.message)
    }

    /// Returns true if two runs on the same file had the same result. Messages may differ, because many contain an
    /// address or a temporary name.
    pub fn agrees(&self, other: &Self) -> bool {
        (self.outcome, &self.digest) == (other.outcome, &other.digest)
    }
}

/// A variant on which a client was run, and the result.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The file and all its choices.
    pub variant: Variant,
    /// The result.
    pub judgment: Judgment,
}
