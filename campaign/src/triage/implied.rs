//! Tags that a cause needs although no choice requests them.
//!
//! A file with a compression has a predictor, which is written with its default unless a choice leaves it out. A reader
//! that fails on the tag fails with each compression, and the compression alone is 1-minimal. But it reads the file
//! without the tag.

use inverter::solve::{Choice, Choices};

use super::minimize::Reduced;
use super::test_oracle::{ReduceError, TestOracle};
use crate::oracle::Outcome;
use crate::records::Purpose;
use tiff_harness::dimension::{ABSENT, is_default};

/// The maximum number of runs for one set.
const MAX_RUNS: usize = 4;

/// Adds to minimal choices the implied tags without which the client reads the file.
///
/// # Errors
///
/// Returns [`ReduceError`] except [`ReduceError::Stopped`], which only cuts the search short.
pub fn with_tags(oracle: TestOracle<'_>, mut reduced: Reduced) -> Result<Reduced, ReduceError> {
    if reduced.trial.judgment.outcome == Outcome::Hang || reduced.choices.is_empty() {
        return Ok(reduced);
    }
    match needed(oracle, &reduced) {
        Ok(tags) => {
            tags.into_iter().for_each(|(name, value)| reduced.choices.set(&name, value));
            Ok(reduced)
        }
        Err(ReduceError::Stopped) => Ok(reduced),
        Err(error) => Err(error),
    }
}

/// Returns the implied tags without which the client reads the file.
fn needed(oracle: TestOracle<'_>, reduced: &Reduced) -> Result<Vec<(String, Choice)>, ReduceError> {
    let own = oracle.subject.own_choices();
    let implied = reduced.trial.variant.differing_from(own).differing_from(&reduced.choices);
    let is_tag = |(name, value): &(&str, &Choice)| {
        own.get(name).is_none() && is_default(name) && value.to_string() != ABSENT
    };
    let mut needed = Vec::new();
    for (name, value) in implied.iter().filter(is_tag).take(MAX_RUNS) {
        let mut without: Choices = reduced.choices.clone();
        without.set(name, Choice::from(ABSENT));
        let trial = oracle.test(&without, Purpose::Reduce)?;
        if trial.is_some_and(|trial| trial.judgment.outcome == Outcome::Same) {
            needed.push((name.to_owned(), value.clone()));
        }
    }
    Ok(needed)
}
