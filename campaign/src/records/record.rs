//! The lines of `results.jsonl`: everything that a campaign does, one JSON object per line, in
//! the order in which it happens. `docs/results.md` describes the format.

use std::time::Duration;

use equivalents::Restriction;
use inverter::solve::Choices;
use serde::{Deserialize, Serialize};

use super::cause::{Convention, Verdict};
use super::edges::EdgeSummary;
use super::judgment::Judgment;
use super::run_count::RunCount;
use super::worker_count::WorkerCount;
use crate::oracle::{DifferenceKind, Outcome};
use equivalents::subject::Class;

/// The version of this format.
pub const FORMAT: u32 = 2;

/// The purpose of a run on a file outside of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To check that the result is reproducible.
    Confirm,
    /// To check whether fewer choices suffice.
    Reduce,
    /// To classify further values of a dimension.
    Complete,
    /// To find simpler values.
    Simplify,
    /// To find a smaller picture.
    Shrink,
    /// To check whether two causes are one fault.
    Compare,
}

/// One line of `results.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// The first line: the run and its settings.
    Run {
        /// [`FORMAT`].
        format: u32,
        /// The version of repfuzz.
        repfuzz: String,
        /// The command line.
        command: String,
        /// The time at which the run started (RFC 3339).
        started: String,
        /// The seed file's name.
        seed_file: String,
        /// The SHA-256 of the seed file, in hexadecimal.
        seed_sha256: String,
        /// The digest of the seed's canonical picture.
        picture: String,
        /// The run seed.
        seed: u64,
        /// The number of variants that were requested.
        variants: usize,
        /// The time limit for the variants in seconds, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<u64>,
        /// The dimensions of the seed's class that vary.
        dimensions: Vec<String>,
        /// The restriction of the dimensions, if there is one.
        #[serde(default, skip_serializing_if = "Restriction::is_empty")]
        restriction: Restriction,
    },
    /// A client and its result on the seed: one line for each, before any other result.
    Client {
        /// The client's name.
        client: String,
        /// Its version; empty if unknown.
        version: String,
        /// `ready`, or the reason why it cannot be judged: `cannot-read-seed`, `unsteady`, `cannot-run`.
        state: String,
        /// Its message, if it cannot be judged.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The digest of its picture of the seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// True if that picture is the canonical one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        canonical: Option<bool>,
        /// The dimensions that are not varied for this client.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ignores: Vec<String>,
    },
    /// A variant. The line comes before the variant's results.
    Variant {
        /// Its index; 0 is the re-encoded seed.
        variant: u64,
        /// A description of the dimensions that varied.
        vary: String,
        /// The worst class of its choices.
        class: Class,
        /// The file's size.
        bytes: usize,
        /// The choices that differ from the seed's own.
        choices: Choices,
    },
    /// The result of a client on a variant.
    Result {
        /// The variant's index.
        variant: u64,
        /// The client's name.
        client: String,
        /// The outcome.
        outcome: Outcome,
        /// The kind of difference of a wrong picture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        difference: Option<DifferenceKind>,
        /// The outcome of a second run; for the re-encoded seed only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<Outcome>,
        /// True if the two runs disagree.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        flaky: bool,
        /// The digest of the picture, if it is not the expected one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// The client's message.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The worker of a fleet that ran the client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<String>,
        /// The duration of the run in milliseconds; 0 if the reply was cached.
        ms: u64,
    },
    /// A run on a file that is not a variant of the plan, during triage.
    Probe {
        /// The client's name.
        client: String,
        /// The purpose.
        why: Purpose,
        /// The outcome.
        outcome: Outcome,
        /// The kind of difference of a wrong picture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        difference: Option<DifferenceKind>,
        /// The choices that differ from the seed's own.
        choices: Choices,
        /// The digest of the picture, if it is not the expected one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// The client's message.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The duration in milliseconds.
        ms: u64,
    },
    /// A variant that does not exist, or that a client was not given.
    Skipped {
        /// The variant's index.
        variant: u64,
        /// The client; if it is missing, the variant does not exist.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<String>,
        /// The reason.
        why: String,
    },
    /// A variant that was left out because of an internal error.
    Refused {
        /// A description of the problem.
        what: String,
        /// The choices that reproduce it.
        choices: Choices,
    },
    /// A client that is not used any more.
    Dropped {
        /// The client's name.
        client: String,
        /// The reason.
        why: String,
    },
    /// The edges that a client reached, if it publishes them.
    Edges {
        /// The client's name.
        client: String,
        /// The edges.
        #[serde(flatten)]
        edges: EdgeSummary,
    },
    /// A cause. The line comes after all results.
    Cause {
        /// The client's name.
        client: String,
        /// The outcome.
        outcome: Outcome,
        /// The kind of difference of a wrong picture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        difference: Option<DifferenceKind>,
        /// The dimensions, all of which are needed.
        dimensions: Vec<String>,
        /// The name of the format of its files; left out for TIFF.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        seed_format: String,
        /// The values of these dimensions that are known to fail, one text per example.
        values: Vec<String>,
        /// The passing values, if there is one dimension.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fine: Vec<String>,
        /// The class of the kept example.
        class: Class,
        /// The number of findings that the cause explains.
        count: usize,
        /// True if the client's results differ from run to run.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        flaky: bool,
        /// The results of several runs on the file, if they differ.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        runs: Vec<RunCount>,
        /// True if the client shows different wrong pixels in each run.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        varies: bool,
        /// The files of each worker, if the client ran on a fleet.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        workers: Vec<WorkerCount>,
        /// True if the set of dimensions is 1-minimal.
        minimal: bool,
        /// The file that is to blame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// True if it is a limit: the client, or its description, says that it does not support a feature.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        limit: bool,
        /// True if the client refuses a feature without a reason.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unexplained: bool,
        /// The convention of readers that explains the cause; it is then no bug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        convention: Option<Convention>,
        /// The choices of the kept example: the minimal set that shows the difference.
        choices: Choices,
        /// The client's message.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The file of the kept example, relative to the report's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The seed file to which the choices belong, relative to the report's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        /// The cause in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// True if the cause was reduced, perhaps in part.
        #[serde(default)]
        reduced: bool,
        /// The number of the cause of which it is another form, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form_of: Option<usize>,
        /// The reason why people accepted the cause.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<String>,
        /// The test in the framework of the client, relative to the report's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test: Option<String>,
    },
    /// The last line of a run that was completed or stopped gracefully.
    End {
        /// The number of variants.
        variants: usize,
        /// The number of findings.
        findings: usize,
        /// The number of causes.
        causes: usize,
        /// True if the run was stopped before its end.
        stopped: bool,
        /// True if the run's time was used up before its end.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        time_up: bool,
        /// The duration in milliseconds.
        ms: u64,
    },
}

impl Record {
    /// The result of `client` on variant number `variant`. `took` is `None` if the reply was cached.
    pub(crate) fn result(
        variant: u64,
        client: &str,
        judgment: &Judgment,
        took: Option<Duration>,
    ) -> Self {
        Record::Result {
            variant,
            client: client.to_owned(),
            outcome: judgment.outcome,
            difference: judgment.difference,
            again: None,
            flaky: false,
            picture: judgment.digest.clone(),
            message: judgment.message.clone(),
            worker: judgment.worker.as_deref().map(str::to_owned),
            ms: took.map_or(0, |took| took.as_millis() as u64),
        }
    }

    /// Returns the record as one line, without the newline.
    pub fn line(&self) -> String {
        // This cannot fail: all map keys of a record are strings.
        serde_json::to_string(self).unwrap_or_default()
    }
}
