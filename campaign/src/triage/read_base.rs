//! The file from which the causes of a client derive, if it fails on the one from which variants derive.
//!
//! A reader may fail on every file that contains a certain field, and the plainest file contains all fields. Compared
//! with that file, the failure needs no choices, so its cause would be empty. Compared with a file that the client
//! reads, the failure has a cause like any other: the values that the plainest file has and this one lacks. Among the
//! files that the client reads, this is the one that differs least from the plainest.

use std::sync::Arc;

use equivalents::reduce::{Answer, minimize_ahead};
use inverter::solve::Choices;

use super::met;
use super::minimize::{Item, items, of_items};
use super::test_oracle::{ReduceError, TestOracle};
use crate::oracle::Outcome;
use crate::records::{
    Baseline, ClientId, ExecutionResults, GIVEN, Purpose, ReadFile, Row, VariantInfo,
};
use equivalents::subject::Subject;

/// A file that a client reads, as the subject of its causes.
pub struct ReadBase {
    /// The client.
    pub client: ClientId,
    subject: Arc<dyn Subject>,
    /// The failure on the file from which variants derive, which is an ordinary file when compared with this one.
    failure: Row,
    /// The failures with each single value of that file that prevents the client from reading it, if there are several.
    single: Vec<Row>,
}

impl ReadBase {
    /// Searches for the base of a client, whose results are `rows`. `None` if it reads the file from which variants
    /// derive, if it reads none, or if the search ended without a result.
    pub fn find(
        oracle: TestOracle<'_>,
        client: ClientId,
        baseline: &Baseline,
        rows: &[&Row],
    ) -> Option<Self> {
        let finding = baseline.finding.as_ref().filter(|finding| !finding.flaky)?;
        if !baseline.base_fails {
            return None;
        }
        let base = Self::search(oracle, client, rows).ok().flatten()?;
        (base.failure.outcome() == finding.outcome).then_some(base)
    }

    fn search(
        oracle: TestOracle<'_>,
        client: ClientId,
        rows: &[&Row],
    ) -> Result<Option<Self>, ReduceError> {
        let read = rows.iter().filter(|row| row.outcome() == Outcome::Same);
        // The seed, if the client reads it; otherwise the file that differs least from the plainest.
        let nearest = read.min_by_key(|row| (row.variant != GIVEN, row.info.choices.len()));
        let Some(nearest) = nearest else { return Ok(None) };
        let Some(needed) = needed(oracle, &nearest.info.choices)? else { return Ok(None) };
        let Some(trial) = oracle.test(&needed, Purpose::Reduce)? else { return Ok(None) };
        let again = oracle.confirm(&trial, &needed)?;
        let subject = oracle.subject.reopened(trial.variant.bytes);
        let Some(subject) = subject.filter(|_| again.judgment.outcome == Outcome::Same) else {
            return Ok(None);
        };
        let Some(info) = seen_from(&*subject, oracle.subject, &Choices::new()) else {
            return Ok(None);
        };
        let compared = TestOracle { subject: &*subject, ..oracle };
        let Some(trial) = compared.test(&info.choices, Purpose::Reduce)? else { return Ok(None) };
        let failure = met::row(&*subject, client, &info.choices, &trial);
        let single = single(compared, client, &needed, oracle.subject.own_choices())?;
        Ok(Some(Self { client, subject, failure, single }))
    }

    /// Returns the subject of the file.
    pub fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    /// Returns the failure on the file from which variants derive, which is one of this file's variants.
    pub fn failure(&self) -> &Row {
        &self.failure
    }

    /// Returns the failures with one value of the file from which variants derive as separate findings, because each
    /// value is enough to prevent the client from reading a file.
    pub fn single_failures(&self) -> impl Iterator<Item = Row> {
        self.single.iter().cloned()
    }

    /// Returns the file, for the report.
    pub fn file(&self) -> ReadFile {
        ReadFile {
            bytes: self.subject.seed_bytes().to_vec(),
            own: self.subject.own_choices().clone(),
        }
    }

    /// Compares the file of `row`, a variant of `base`, with this one.
    pub fn compared(&self, base: &dyn Subject, row: &Row) -> Row {
        let info = seen_from(&*self.subject, base, &row.info.choices);
        Row { info: info.map_or_else(|| Arc::clone(&row.info), Arc::new), ..row.clone() }
    }

    /// Compares the files of this client with this one, in all results.
    pub fn compare_all(&self, base: &dyn Subject, results: &mut ExecutionResults) {
        for row in results.rows.iter_mut().filter(|row| row.client == self.client) {
            *row = self.compared(base, row);
        }
    }
}

/// Describes the variant of `choices` of `base` by its differences from the file of `subject`.
fn seen_from(subject: &dyn Subject, base: &dyn Subject, choices: &Choices) -> Option<VariantInfo> {
    base.replay(choices).ok().map(|variant| VariantInfo::of(subject, &variant))
}

/// Returns the failures with one of the values that the file from which variants derive has, by its choices `own`, in
/// the dimensions of `needed`. Empty if there is only one dimension.
fn single(
    oracle: TestOracle<'_>,
    client: ClientId,
    needed: &Choices,
    own: &Choices,
) -> Result<Vec<Row>, ReduceError> {
    let mut rows = Vec::new();
    for (dimension, _) in needed.iter().filter(|_| needed.len() > 1) {
        let Some(value) = own.get(dimension) else { continue };
        let set = Choices::from_iter([(dimension.to_owned(), value.clone())]);
        let trial = oracle.test(&set, Purpose::Reduce)?;
        let failed = trial.filter(|trial| trial.judgment.outcome.is_difference());
        rows.extend(failed.map(|trial| met::row(oracle.subject, client, &set, &trial)));
    }
    Ok(rows)
}

/// Returns a 1-minimal subset of `choices` whose file the client reads; `None` if it does not read the file with all of
/// them.
fn needed(oracle: TestOracle<'_>, choices: &Choices) -> Result<Option<Choices>, ReduceError> {
    let reads = |part: &Choices| -> Result<bool, ReduceError> {
        let trial = oracle.test(part, Purpose::Reduce)?;
        Ok(trial.is_some_and(|trial| trial.judgment.outcome == Outcome::Same))
    };
    if !reads(choices)? {
        return Ok(None);
    }
    let mut failure = None;
    let mut ahead = |sets: &[Vec<Item>]| {
        let sets: Vec<Choices> = sets.iter().map(|set| of_items(set)).collect();
        oracle.speculate(&sets, Purpose::Reduce);
    };
    let (kept, _) =
        minimize_ahead(&items(choices), &mut ahead, &mut |part| match reads(&of_items(part)) {
            Ok(true) => Answer::Yes,
            Ok(false) => Answer::No,
            Err(error) => {
                failure = Some(error);
                Answer::Stop
            }
        });
    failure.map_or(Ok(Some(of_items(&kept))), Err)
}
