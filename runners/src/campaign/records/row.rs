//! What the clients did with the variants.

use std::sync::Arc;

use inverter::solve::Choices;

use super::judgment::Judged;
use crate::oracle::Outcome;
use crate::subject::{Class, Subject, Variant};

/// A variant that was made, without its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The worst class of its choices.
    pub class: Class,
    /// The file's size.
    pub size: usize,
    /// The choices that differ from the seed's.
    pub choices: Choices,
    /// The dimensions that differ, each with the class of its value.
    pub varied: Vec<(String, String)>,
}

impl Info {
    /// The account of `variant`.
    pub fn of(subject: &dyn Subject, variant: &Variant) -> Self {
        let choices = variant.differing_from(subject.own_choices());
        let varied =
            choices.iter().map(|(d, v)| (d.to_owned(), subject.value_class(d, v))).collect();
        Info { class: variant.class, size: variant.bytes.len(), choices, varied }
    }
}

/// What one client did with one variant.
#[derive(Debug, Clone)]
pub struct Row {
    /// The variant's index.
    pub variant: u64,
    /// The client's place in the list.
    pub client: usize,
    /// The file it was given.
    pub info: Arc<Info>,
    /// What came of it.
    pub judged: Judged,
}

impl Row {
    /// The oracle's word.
    pub fn outcome(&self) -> Outcome {
        self.judged.outcome
    }
}

/// What a client was not given.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// The client's place in the list.
    pub client: usize,
    /// Why.
    pub why: String,
}

/// Everything that was done.
#[derive(Debug, Default)]
pub struct Executed {
    /// One row for each variant and client, in the order of variants, then clients.
    pub rows: Vec<Row>,
    /// What was made, in the order of the plan.
    pub made: Vec<Arc<Info>>,
    /// How many steps repeated an earlier variant, or the seed.
    pub repeated: usize,
    /// How many steps had no file.
    pub impossible: usize,
    /// What was left out because a client hangs on the like.
    pub left: Vec<Left>,
    /// Clients used no further: place in the list, and why.
    pub dropped: Vec<Left>,
    /// Whether it ended before its plan did.
    pub cut: bool,
}
