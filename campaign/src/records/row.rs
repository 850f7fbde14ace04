//! The results of the execution phase: one row for each variant and client.

use std::sync::Arc;

use inverter::solve::Choices;

use super::client_id::ClientId;
use super::edges::EdgeSummary;
use super::judgment::Judgment;
use crate::oracle::{Outcome, Signature};
use equivalents::subject::{Class, Subject, Variant};

/// The number of the seed file among the variants.
pub const GIVEN: u64 = 0;

/// A description of a variant, without its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantInfo {
    /// The worst class of its choices.
    pub class: Class,
    /// The size of the file.
    pub size: usize,
    /// The choices that differ from the seed's.
    pub choices: Choices,
    /// The dimensions that differ, each with its value class.
    pub varied: Vec<(String, String)>,
}

impl VariantInfo {
    /// Describes `variant`.
    pub fn of(subject: &dyn Subject, variant: &Variant) -> Self {
        let choices = variant.differing_from(subject.own_choices());
        let varied =
            choices.iter().map(|(d, v)| (d.to_owned(), subject.value_class(d, v))).collect();
        Self { class: variant.class, size: variant.bytes.len(), choices, varied }
    }
}

/// The result of one client on one variant.
#[derive(Debug, Clone)]
pub struct Row {
    /// The variant's index.
    pub variant: u64,
    /// The client.
    pub client: ClientId,
    /// The file that the client was given.
    pub info: Arc<VariantInfo>,
    /// The result.
    pub judgment: Judgment,
}

impl Row {
    /// Returns the outcome.
    pub fn outcome(&self) -> Outcome {
        self.judgment.outcome
    }

    /// Returns the outcome with the kind of difference.
    pub fn signature(&self) -> Signature {
        self.judgment.signature()
    }
}

/// A variant that a client was not given, or a client that is no longer used.
#[derive(Debug, Clone, PartialEq)]
pub struct Omission {
    /// The client.
    pub client: ClientId,
    /// The reason.
    pub why: String,
}

/// All results of the execution phase.
#[derive(Debug, Default)]
pub struct ExecutionResults {
    /// One row for each variant and client, ordered by variant, then by client.
    pub rows: Vec<Row>,
    /// The files of all clients, in the order of the plan.
    pub variants: Vec<Arc<VariantInfo>>,
    /// The number of files that a client was given: the maximum over all clients.
    pub files: usize,
    /// The number of steps that repeated an earlier file, or the seed: the maximum over all clients.
    pub repeated: usize,
    /// The number of steps for which no file exists: the maximum over all clients.
    pub impossible: usize,
    /// The variants that were skipped because the client hangs on similar ones.
    pub skipped: Vec<Omission>,
    /// The clients that are no longer used.
    pub dropped: Vec<Omission>,
    /// The edges that clients reached, for each client that publishes edges.
    pub edges: Vec<(ClientId, EdgeSummary)>,
    /// True if execution ended before the plan did.
    pub cut_short: bool,
}
