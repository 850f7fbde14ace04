//! All values of a dimension that has few: a cause lists which of them fail.

use std::collections::BTreeMap;

use inverter::solve::{Choice, Choices};

use super::deduplicate::Finder;
use super::test_oracle::ReduceError;
use crate::campaign::records::{Cause, Depth, Info, Purpose, Trial, words};
use crate::oracle::Outcome;
use crate::subject::Subject;

/// The most runs for one dimension of one client, and the most classes that are few.
const RUNS: usize = 16;

/// The most runs where each of them may hang until its time is over.
const HANGING_RUNS: usize = 2;

/// The numbers that codes are looked for among.
const CODES: std::ops::RangeInclusive<i128> = 0..=16;

/// Values of the dimensions of a run.
pub struct Values {
    seen: BTreeMap<String, Vec<Choice>>,
}

impl Values {
    /// What occurred in the variants that were `made`, and in the seed.
    pub fn of<'i>(subject: &dyn Subject, made: impl Iterator<Item = &'i Info>) -> Self {
        let mut seen: BTreeMap<String, Vec<Choice>> = BTreeMap::new();
        let own = subject.own_choices().iter();
        let all = made.flat_map(|info| info.choices.iter());
        for (dimension, value) in own.chain(all) {
            let values = seen.entry(dimension.to_owned()).or_default();
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        Self { seen }
    }

    /// Whether the numbers of `dimension` are codes, each with a meaning of its own, and
    /// not amounts.
    pub fn are_codes(&self, subject: &dyn Subject, dimension: &str) -> bool {
        let code = |value: &Choice| match value {
            Choice::Int(n) => subject.value_class(dimension, value) == n.to_string(),
            _ => false,
        };
        self.seen.get(dimension).is_some_and(|values| values.iter().all(code))
    }

    /// One value of each class of `dimension`, unless there are too many of them; simple
    /// ones first.
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
        // Codes that there are not cost nothing.
        let few = if values.iter().all(|v| matches!(v, Choice::Int(_))) { 64 } else { RUNS };
        if values.len() > few { Vec::new() } else { values }
    }
}

impl Finder<'_> {
    /// Tries, for each cause of one dimension, the values of that dimension of which nothing
    /// is known; `fine` are those that a variant without difference had.
    ///
    /// # Errors
    ///
    /// [`ReduceError`].
    pub fn complete(
        &mut self,
        values: &Values,
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
            self.complete_one(&dimension, values, &fine(&dimension))?;
        }
        Ok(())
    }

    fn complete_one(
        &mut self,
        dimension: &str,
        values: &Values,
        fine: &[Choice],
    ) -> Result<(), ReduceError> {
        let subject = self.prober.subject;
        let mine = |c: &Cause| c.depth <= Depth::Partly && c.dimensions == [dimension];
        let class = |value: &Choice| subject.value_class(dimension, value);
        let failing = self.causes.iter().filter(|c| mine(c)).flat_map(|c| &c.examples);
        let mut known: Vec<String> =
            failing.filter_map(|e| e.get(dimension)).chain(fine).map(class).collect();
        known.extend(subject.own_choices().get(dimension).map(class));
        let hangs = self.causes.iter().any(|c| mine(c) && c.outcome == Outcome::Hang);
        let most = if hangs { HANGING_RUNS } else { RUNS };
        let mut sets: Vec<Choices> = Vec::new();
        for value in values.candidates(subject, dimension) {
            if sets.len() == most || known.contains(&class(&value)) {
                continue;
            }
            let set = Choices::from_iter([(dimension.to_owned(), value)]);
            if self.prober.make(&set)?.is_some() {
                sets.push(set);
            }
        }
        self.prober.prepare(&sets, Purpose::Complete);
        let mut tried: Vec<(Choices, Trial)> = Vec::new();
        for set in sets {
            if let Some(trial) = self.prober.probe(&set, Purpose::Complete)? {
                tried.push((set, trial));
            }
        }
        for (set, trial) in tried {
            self.file(dimension, set, trial)?;
        }
        Ok(())
    }

    /// Adds one more value to the causes of `dimension`: those that it fails like, and those
    /// that it does not.
    fn file(&mut self, dimension: &str, set: Choices, trial: Trial) -> Result<(), ReduceError> {
        let outcome = trial.judged.outcome;
        if outcome.is_difference() {
            // It may become what the cause is shown by, or a cause of its own.
            let confirmed = self.prober.confirm(&trial, &set)?;
            if confirmed.agrees {
                self.merge(trial, set, Depth::Minimal, confirmed.picture, 0);
            }
            return Ok(());
        }
        let Some(value) = set.get(dimension) else { return Ok(()) };
        for cause in self.causes.iter_mut().filter(|c| c.dimensions == [dimension]) {
            cause.passed.push(value.clone());
        }
        Ok(())
    }
}
