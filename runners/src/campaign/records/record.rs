//! `results.jsonl`: everything a campaign did, one JSON object a line, written as it
//! happens. `docs/results.md` describes it.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};

use crate::oracle::Outcome;
use crate::subject::Class;

/// The version of this format.
pub const FORMAT: u32 = 2;

/// What a file outside of the plan was tried for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To see whether it comes to the same once more.
    Confirm,
    /// To see whether fewer choices do.
    Reduce,
    /// To know more values of a dimension.
    Complete,
    /// To find simpler values.
    Simplify,
    /// To find a smaller picture.
    Shrink,
}

/// One line of `results.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// The first line: what is run.
    Run {
        /// [`FORMAT`].
        format: u32,
        /// The version of repfuzz.
        repfuzz: String,
        /// The command line.
        command: String,
        /// When it began (RFC 3339).
        started: String,
        /// The seed file's name.
        seed_file: String,
        /// The SHA-256 of the seed file, in hexadecimal.
        seed_sha256: String,
        /// The digest of the seed's canonical picture.
        picture: String,
        /// The run's number.
        seed: u64,
        /// How many variants were asked for.
        variants: usize,
        /// How many seconds the variants may take, if that is limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<u64>,
        /// The dimensions of the seed's class.
        dimensions: Vec<String>,
    },
    /// A client and what it made of the seed: one line each, before any result.
    Client {
        /// The client's name.
        client: String,
        /// Its version; empty if unknown.
        version: String,
        /// `ready`, or why it cannot be judged: `cannot-read-seed`, `unsteady`, `cannot-run`.
        state: String,
        /// Its own words, where it cannot be judged.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The digest of its picture of the seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// Whether that picture is the canonical one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        canonical: Option<bool>,
        /// Dimensions that are not varied for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ignores: Vec<String>,
    },
    /// A variant that was made. It comes before its results.
    Variant {
        /// Its index; 0 is the seed written anew.
        variant: u64,
        /// What varied.
        vary: String,
        /// The worst class of its choices.
        class: Class,
        /// The file's size.
        bytes: usize,
        /// The choices that differ from the seed's own.
        choices: Choices,
    },
    /// What a client did with a variant.
    Result {
        /// The variant's index.
        variant: u64,
        /// The client's name.
        client: String,
        /// What came of it.
        outcome: Outcome,
        /// What a second run made of it; for the seed written anew only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<Outcome>,
        /// Whether the two runs disagree.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        flaky: bool,
        /// The digest of the picture, if it is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// The client's own words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// Milliseconds that the run took; 0 if the client had been given the same file.
        ms: u64,
    },
    /// A run on a file that is no variant of the plan: in the course of the reduction.
    Probe {
        /// The client's name.
        client: String,
        /// What for.
        why: Purpose,
        /// What came of it.
        outcome: Outcome,
        /// The choices that differ from the seed's own.
        choices: Choices,
        /// The digest of the picture, if it is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// The client's own words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// Milliseconds.
        ms: u64,
    },
    /// A variant that was not made, or not given to a client.
    Skipped {
        /// The variant's index.
        variant: u64,
        /// The client; without it, the variant was not made at all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<String>,
        /// Why.
        why: String,
    },
    /// A client is used no further.
    Dropped {
        /// The client's name.
        client: String,
        /// Why.
        why: String,
    },
    /// A reduced cause: after all results.
    Cause {
        /// The client's name.
        client: String,
        /// What it does.
        outcome: Outcome,
        /// The dimensions that it takes, all of them.
        dimensions: Vec<String>,
        /// Their values that are known to fail, one text an example.
        values: Vec<String>,
        /// Values of its one dimension that are known not to fail.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fine: Vec<String>,
        /// The class of the kept example.
        class: Class,
        /// How many findings it explains.
        count: usize,
        /// Whether the client behaves differently from run to run here.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        flaky: bool,
        /// Whether the set of dimensions is known to be minimal.
        minimal: bool,
        /// The kept example's choices: the least that shows the difference.
        choices: Choices,
        /// The client's own words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The kept example's file, below the report's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The seed file that its choices belong to, below the report's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
    },
    /// The last line of a run that came to its end, or was stopped in order.
    End {
        /// How many variants every client was given.
        variants: usize,
        /// How many findings there are.
        findings: usize,
        /// How many causes.
        causes: usize,
        /// Whether it was stopped before its end.
        stopped: bool,
        /// Whether its time was used up before its end.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        time_up: bool,
        /// Milliseconds.
        ms: u64,
    },
}

impl Record {
    /// The record as one line, without the end of line.
    pub fn line(&self) -> String {
        // A record has no map with keys that are not text: it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
