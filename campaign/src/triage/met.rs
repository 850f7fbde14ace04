//! Findings that reductions encounter on their way.
//!
//! A reduction looks for one signature. A smaller set may show another; for example, a refused file may crash without
//! one of its choices. Such a set is a finding like those of the plan.

use std::sync::Arc;

use inverter::solve::Choices;

use crate::oracle::Signature;
use crate::records::{ClientId, Row, Trial, VariantInfo};
use equivalents::subject::Subject;

/// The number of a variant outside of the plan.
const OUTSIDE: u64 = u64::MAX;

/// The maximum number of waiting findings; those with the fewest choices stay.
const MAX_WAITING: usize = 64;

/// Collects the findings that one reduction encounters.
pub struct Met<'a> {
    subject: &'a dyn Subject,
    client: ClientId,
    rows: Vec<Row>,
}

impl<'a> Met<'a> {
    /// A collection without findings.
    pub fn new(subject: &'a dyn Subject, client: ClientId) -> Self {
        Self { subject, client, rows: Vec::new() }
    }

    /// Adds the result on `choices` if it differs, and not in the way that a failure with the signature `sought` does.
    /// Must not be called for sets that are tested in advance, because the client determines which ones these are.
    pub fn add(&mut self, sought: Signature, choices: &Choices, trial: &Trial) {
        let found = trial.judgment.signature();
        if found.outcome.is_difference() && found != sought {
            self.rows.push(row(self.subject, self.client, choices, trial));
        }
    }

    /// Returns the findings in the order in which they were encountered.
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}

/// Returns the result of a client on the variant of `choices` as a row.
pub fn row(subject: &dyn Subject, client: ClientId, choices: &Choices, trial: &Trial) -> Row {
    // The requested choices suffice, because a reduction starts with them.
    let info = VariantInfo { choices: choices.clone(), ..VariantInfo::of(subject, &trial.variant) };
    Row { variant: OUTSIDE, client, info: Arc::new(info), judgment: trial.judgment.clone() }
}

/// Returns true if a row does not belong to a variant of the plan.
pub fn is_outside(row: &Row) -> bool {
    row.variant == OUTSIDE
}

/// The findings that wait to be explained.
#[derive(Default)]
pub struct Waiting(Vec<Row>);

impl Waiting {
    /// Adds findings, each set of choices once.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = Row>) {
        for row in rows {
            if self.0.iter().all(|known| known.info.choices != row.info.choices) {
                self.0.push(row);
            }
        }
        self.0.sort_by_key(|row| row.info.choices.len());
        self.0.truncate(MAX_WAITING);
    }

    /// Removes and returns the first finding among those with the fewest choices.
    pub fn next(&mut self) -> Option<Row> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }
}
