//! Delta debugging (ddmin, Zeller and Hildebrandt 2002) over choices instead of bytes.

use equivalents::reduce::{Answer, minimize};
use inverter::solve::Choices;

use super::test_oracle::{ReduceError, TestOracle};
use crate::campaign::records::{Purpose, Trial};
use crate::oracle::Outcome;

/// The maximum number of runs of one reduction that hang.
const MAX_HANGS: usize = 12;

/// The result of a reduction.
#[derive(Debug, Clone)]
pub struct Reduced {
    /// The choices that are needed.
    pub choices: Choices,
    /// True if they are 1-minimal: without any one of them, the outcome is another.
    pub minimal: bool,
    /// The variant of these choices, and the client's result on it.
    pub trial: Trial,
}

/// Returns a 1-minimal subset of `choices` with the same `outcome`; `None` if `choices` do not
/// have it themselves.
///
/// # Errors
///
/// [`ReduceError`]. Once there is a result, [`ReduceError::Stopped`] only cuts the search short.
pub fn minimal_choices(
    oracle: TestOracle<'_>,
    choices: &Choices,
    outcome: Outcome,
) -> Result<Option<Reduced>, ReduceError> {
    let mut best = match oracle.test(choices, Purpose::Reduce)? {
        Some(trial) if trial.judgment.outcome == outcome => trial,
        _ => return Ok(None),
    };
    let items: Vec<_> = choices.iter().map(|(d, v)| (d.to_owned(), v.clone())).collect();
    let mut hangs = 0;
    let mut failure = None;
    let (kept, minimal) = minimize(&items, &mut |part| {
        let trial = match oracle.test(&part.iter().cloned().collect(), Purpose::Reduce) {
            Ok(trial) => trial,
            Err(error) => {
                failure = Some(error);
                return Answer::Stop;
            }
        };
        let hung = trial.as_ref().is_some_and(|t| t.judgment.outcome == Outcome::Hang);
        hangs += usize::from(hung);
        match trial {
            Some(trial) if trial.judgment.outcome == outcome => {
                best = trial;
                Answer::Yes
            }
            _ if hangs >= MAX_HANGS => Answer::Stop,
            _ => Answer::No,
        }
    });
    match failure {
        None | Some(ReduceError::Stopped) => {}
        Some(error) => return Err(error),
    }
    Ok(Some(Reduced { choices: kept.into_iter().collect(), minimal, trial: best }))
}
