//! Delta debugging (ddmin, Zeller and Hildebrandt 2002) over choices instead of bytes.

use equivalents::reduce::{Answer, minimize_ahead};
use inverter::solve::{Choice, Choices};

use super::met::Met;
use super::test_oracle::{ReduceError, TestOracle};
use super::without::without;
use crate::oracle::{Outcome, Signature};
use crate::records::{Purpose, Trial};

/// The maximum number of runs of one reduction that hang.
const MAX_HANGS: usize = 12;

/// The result of a reduction.
#[derive(Debug, Clone)]
pub struct Reduced {
    /// The choices that are needed.
    pub choices: Choices,
    /// True if they are 1-minimal: without any one of them, the signature changes.
    pub minimal: bool,
    /// The variant of these choices, and the client's result on it.
    pub trial: Trial,
}

/// Returns a 1-minimal subset of `choices` with a signature that `signature` allows; `None` if `choices` themselves do
/// not have one. Other failures of subsets are added to `met`.
///
/// # Errors
///
/// Returns [`ReduceError`]. Once there is a result, [`ReduceError::Stopped`] only cuts the search short.
pub fn minimal_choices(
    oracle: TestOracle<'_>,
    choices: &Choices,
    signature: Signature,
    met: &mut Met<'_>,
) -> Result<Option<Reduced>, ReduceError> {
    let mut best = match oracle.test(choices, Purpose::Reduce)? {
        Some(trial) if signature.allows(trial.judgment.signature()) => trial,
        _ => return Ok(None),
    };
    let items = items(choices);
    let mut hangs = 0;
    let mut failure = None;
    let mut ahead = |sets: &[Vec<Item>]| {
        // Each run that hangs takes the whole time limit.
        if signature.outcome != Outcome::Hang {
            let sets: Vec<Choices> = sets.iter().map(|set| of_items(set)).collect();
            oracle.speculate(&sets, Purpose::Reduce);
        }
    };
    let (kept, minimal) = minimize_ahead(&items, &mut ahead, &mut |part| {
        let part = of_items(part);
        let trial = match oracle.test(&part, Purpose::Reduce) {
            Ok(trial) => trial,
            Err(error) => {
                failure = Some(error);
                return Answer::Stop;
            }
        };
        let hung = trial.as_ref().is_some_and(|t| t.judgment.outcome == Outcome::Hang);
        hangs += usize::from(hung);
        match trial {
            Some(trial) if signature.allows(trial.judgment.signature()) => {
                best = trial;
                Answer::Yes
            }
            other => {
                other.iter().for_each(|trial| met.add(signature, &part, trial));
                if hangs >= MAX_HANGS { Answer::Stop } else { Answer::No }
            }
        }
    });
    match failure {
        None | Some(ReduceError::Stopped) => {}
        Some(error) => return Err(error),
    }
    let reduced = Reduced { choices: kept.into_iter().collect(), minimal, trial: best };
    match smaller(oracle, &reduced)? {
        Some((part, signature)) => minimal_choices(oracle, &part, signature, met),
        None => Ok(Some(reduced)),
    }
}

/// One choice.
pub(super) type Item = (String, Choice);

/// Returns choices as the items of a reduction.
pub(super) fn items(choices: &Choices) -> Vec<Item> {
    choices.iter().map(|(dimension, value)| (dimension.to_owned(), value.clone())).collect()
}

/// Converts items of a reduction back to choices.
pub(super) fn of_items(items: &[Item]) -> Choices {
    items.iter().cloned().collect()
}

/// Returns the sets that [`minimal_choices`] tests first.
pub fn first_sets(choices: &Choices) -> Vec<Choices> {
    let mut first = Vec::new();
    let mut ahead = |sets: &[Vec<Item>]| first = sets.iter().map(|set| of_items(set)).collect();
    minimize_ahead(&items(choices), &mut ahead, &mut |_| Answer::Stop);
    first
}

/// Returns a smaller set of choices that fails like `reduced`, or with another kind of difference that [explains] it.
/// In the latter case, the other choices only change the kind, or add a separate fault; for example, one may mirror
/// rows and the other columns, so that together they rotate the picture. Values of the set may be [fitted](without) to
/// one another.
///
/// [explains]: Signature::explains
fn smaller(
    oracle: TestOracle<'_>,
    reduced: &Reduced,
) -> Result<Option<(Choices, Signature)>, ReduceError> {
    let whole = reduced.trial.judgment.signature();
    if whole.outcome == Outcome::Hang || reduced.choices.len() < 2 || !reduced.minimal {
        return Ok(None);
    }
    match redundant(oracle, &reduced.choices, whole, Purpose::Reduce) {
        Err(ReduceError::Stopped) => Ok(None),
        found => found,
    }
}

/// Returns a set without one of `choices`, which have the signature `whole`, that fails in the same way or explains
/// their failure, with its signature. `None` if all are needed.
///
/// # Errors
///
/// Returns [`ReduceError`].
pub fn redundant(
    oracle: TestOracle<'_>,
    choices: &Choices,
    whole: Signature,
    why: Purpose,
) -> Result<Option<(Choices, Signature)>, ReduceError> {
    for (dimension, _) in choices.iter() {
        for part in without(oracle.subject, choices, dimension) {
            // ddmin has tested the sets whose values did not have to be fitted, so their results come from the cache.
            let Some(trial) = oracle.test(&part, why)? else { continue };
            let signature = trial.judgment.signature();
            let is_wrong = whole.outcome == Outcome::Wrong && signature.outcome == Outcome::Wrong;
            if whole.allows(signature) || (is_wrong && signature.explains(whole)) {
                return Ok(Some((part, signature)));
            }
        }
    }
    Ok(None)
}
