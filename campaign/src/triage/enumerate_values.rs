//! Enumerates the values of a dimension with few values, so that a cause lists which of them fail.

use std::collections::BTreeMap;

use inverter::solve::{Choice, Choices};

use super::deduplicate::Triage;
use super::test_oracle::{Confirmation, ReduceError};
use crate::oracle::Outcome;
use crate::records::{Cause, Depth, Purpose, Trial, VariantInfo, words};
use crate::runtime::map;
use equivalents::subject::Subject;

/// The maximum number of runs for one dimension of one client, and the maximum number of enumerated value classes.
const MAX_RUNS: usize = 16;

/// The maximum if each run may hang until its time limit.
const MAX_HANGING_RUNS: usize = 2;

/// The maximum number of value classes if all values are numbers, because a nonexistent code costs no run.
const MAX_NUMBERS: usize = 64;

/// The numbers that are tried as codes.
const CODES: std::ops::RangeInclusive<i128> = 0..=16;

/// The values of each dimension that occurred in a run.
pub struct ObservedValues {
    seen: BTreeMap<String, Vec<Choice>>,
}

impl ObservedValues {
    /// Collects the values in `variants` and in the seed.
    pub fn of<'i>(subject: &dyn Subject, variants: impl Iterator<Item = &'i VariantInfo>) -> Self {
        let mut seen: BTreeMap<String, Vec<Choice>> = BTreeMap::new();
        let own = subject.own_choices().iter();
        let all = variants.flat_map(|info| info.choices.iter());
        for (dimension, value) in own.chain(all) {
            let values = seen.entry(dimension.to_owned()).or_default();
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        Self { seen }
    }

    /// Returns true if the numbers of `dimension` are codes, each with its own meaning, rather than amounts.
    pub fn are_codes(&self, subject: &dyn Subject, dimension: &str) -> bool {
        let code = |value: &Choice| match value {
            Choice::Int(n) => subject.value_class(dimension, value) == n.to_string(),
            _ => false,
        };
        self.seen.get(dimension).is_some_and(|values| values.iter().all(code))
    }

    /// Returns one value of each class of `dimension`, simple ones first; empty if there are too many.
    fn candidates(&self, subject: &dyn Subject, dimension: &str) -> Vec<Choice> {
        let mut values = self.seen.get(dimension).cloned().unwrap_or_default();
        if self.are_codes(subject, dimension) {
            values.extend(CODES.map(Choice::Int));
        }
        values.sort_by_cached_key(words::value_order);
        let mut classes: Vec<String> = Vec::new();
        values.retain(|value| {
            let class = subject.value_class(dimension, value);
            let new = !classes.contains(&class);
            classes.push(class);
            new
        });
        let numbers = values.iter().all(|v| matches!(v, Choice::Int(_)));
        let most = if numbers { MAX_NUMBERS } else { MAX_RUNS };
        if values.len() > most { Vec::new() } else { values }
    }
}

impl Triage<'_> {
    /// For each cause with one dimension, tests the values of that dimension without a result. `fine` returns the
    /// values in variants without a difference.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`].
    pub fn enumerate_values(
        &mut self,
        values: &ObservedValues,
        fine: &dyn Fn(&str) -> Vec<Choice>,
    ) -> Result<(), ReduceError> {
        let mut dimensions: Vec<String> = Vec::new();
        for cause in &self.causes {
            if let (true, [dimension]) = (cause.depth <= Depth::Partly, &cause.dimensions[..])
                && !dimensions.contains(dimension)
            {
                dimensions.push(dimension.clone());
            }
        }
        for dimension in dimensions {
            self.enumerate_dimension(&dimension, values, &fine(&dimension))?;
        }
        Ok(())
    }

    fn enumerate_dimension(
        &mut self,
        dimension: &str,
        values: &ObservedValues,
        fine: &[Choice],
    ) -> Result<(), ReduceError> {
        let subject = self.oracle.subject;
        let mine = |c: &Cause| c.depth <= Depth::Partly && c.dimensions == [dimension];
        let class = |value: &Choice| subject.value_class(dimension, value);
        let failing = self.causes.iter().filter(|c| mine(c)).flat_map(|c| &c.examples);
        let mut known: Vec<String> =
            failing.filter_map(|e| e.get(dimension)).chain(fine).map(class).collect();
        known.extend(subject.own_choices().get(dimension).map(class));
        let hangs = self.causes.iter().any(|c| mine(c) && c.outcome == Outcome::Hang);
        let most = if hangs { MAX_HANGING_RUNS } else { MAX_RUNS };
        let mut sets: Vec<Choices> = Vec::new();
        for value in values.candidates(subject, dimension) {
            if sets.len() == most || known.contains(&class(&value)) {
                continue;
            }
            let set = Choices::from_iter([(dimension.to_owned(), value)]);
            if self.oracle.replay(&set).is_some() {
                sets.push(set);
            }
        }
        self.oracle.prefetch(&sets, Purpose::Complete);
        let mut tested: Vec<(Choices, Trial)> = Vec::new();
        for set in sets {
            if let Some(trial) = self.oracle.test(&set, Purpose::Complete)? {
                tested.push((set, trial));
            }
        }
        // A failing value may become the kept example of a cause, or a separate cause.
        let oracle = self.oracle;
        let confirmed = map(oracle.gate.size(), &tested, |_, (set, trial)| {
            let fails = trial.judgment.outcome.is_difference();
            fails.then(|| oracle.confirm(trial, set)).transpose()
        });
        for ((set, trial), confirmation) in tested.into_iter().zip(confirmed) {
            self.add_value(dimension, set, trial, confirmation?);
        }
        Ok(())
    }

    /// Adds the result of one more value to the causes of `dimension`. A failing one was confirmed.
    fn add_value(
        &mut self,
        dimension: &str,
        set: Choices,
        trial: Trial,
        confirmation: Option<Confirmation>,
    ) {
        if let Some(confirmation) = confirmation {
            if confirmation.agrees {
                self.merge(trial, set, Depth::Minimal, confirmation, 0);
            }
            return;
        }
        let Some(value) = set.get(dimension) else { return };
        for cause in self.causes.iter_mut().filter(|c| c.dimensions == [dimension]) {
            cause.passed.push(value.clone());
        }
    }
}
