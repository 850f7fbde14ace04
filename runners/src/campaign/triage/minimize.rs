//! Delta debugging over choices (Zeller and Hildebrandt, 2002).

use equivalents::reduce::{Answer, minimize};
use inverter::solve::Choices;

use super::test_oracle::{Prober, ReduceError};
use crate::campaign::records::{Purpose, Trial};
use crate::oracle::Outcome;

/// What a reduction leaves.
#[derive(Debug, Clone)]
pub struct Reduced {
    /// The choices that it takes.
    pub choices: Choices,
    /// Whether fewer are known not to do.
    pub minimal: bool,
    /// The file of these choices, and what the client makes of it.
    pub trial: Trial,
}

/// How many runs that hang one reduction may take.
const HANGS: usize = 12;

/// The smallest part of `choices` that still comes to `outcome`; `None` if not even
/// all of them do.
pub fn minimal(
    oracle: Prober<'_>,
    choices: &Choices,
    outcome: Outcome,
) -> Result<Option<Reduced>, ReduceError> {
    let mut best = match oracle.probe(choices, Purpose::Reduce)? {
        Some(trial) if trial.judged.outcome == outcome => trial,
        _ => return Ok(None),
    };
    let items: Vec<_> = choices.iter().map(|(d, v)| (d.to_owned(), v.clone())).collect();
    let mut hangs = 0;
    let mut trouble = None;
    let (kept, minimal) = minimize(&items, &mut |part| match oracle
        .probe(&part.iter().cloned().collect(), Purpose::Reduce)
    {
        Ok(trial) => {
            let hung = trial.as_ref().is_some_and(|t| t.judged.outcome == Outcome::Hang);
            hangs += usize::from(hung);
            match trial {
                Some(trial) if trial.judged.outcome == outcome => best = trial,
                _ if hangs >= HANGS => return Answer::Stop,
                _ => return Answer::No,
            }
            Answer::Yes
        }
        Err(error) => {
            trouble = Some(error);
            Answer::Stop
        }
    });
    match trouble {
        None | Some(ReduceError::Stopped) => {}
        Some(error) => return Err(error),
    }
    Ok(Some(Reduced { choices: kept.into_iter().collect(), minimal, trial: best }))
}
