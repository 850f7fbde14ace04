//! What each client makes of the seed: the measure of everything after.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::executor::{Asked, Asker, Process};
use crate::campaign::error::CampaignError;
use crate::campaign::records::{Anew, Baseline, State};
use crate::campaign::runtime::{Stop, guarded, map};
use crate::client::Reply;
use crate::oracle;
use crate::subject::{Subject, Variant, VariantError};

/// The seed written anew with its own choices, if that gives another file.
pub fn reencoded(subject: &dyn Subject) -> Result<Option<Variant>, CampaignError> {
    match replay(subject, &Choices::new()) {
        Ok(variant) => Ok((variant.bytes != subject.seed_bytes()).then_some(variant)),
        Err(VariantError::Impossible(_)) => Ok(None),
        Err(VariantError::Internal(what)) => {
            Err(CampaignError::Defect { what, choices: Choices::new() })
        }
    }
}

/// [`Subject::replay`]; a panic in it becomes a defect.
pub fn replay(subject: &dyn Subject, choices: &Choices) -> Result<Variant, VariantError> {
    guarded(|| subject.replay(choices)).unwrap_or_else(|panic| Err(VariantError::Internal(panic)))
}

/// Runs every client on the seed, twice, and on the seed written anew. Gives what that
/// tells of each, and about how long one run takes.
pub fn measure(
    subject: &dyn Subject,
    anew: Option<&Variant>,
    askers: &[Asker<'_>],
    jobs: usize,
    stop: &Stop,
) -> Vec<(State, Duration)> {
    let seed = subject.seed_bytes();
    let first = map(jobs, askers, |_, asker| {
        if stop.variants() {
            return Err(io::Error::other("stopped before its turn"));
        }
        asker.ask(seed, Process::Any)
    });
    // From here on it is known which are slow: they go first.
    let cost = |asked: &io::Result<Asked>| asked.as_ref().map_or(Duration::ZERO, |a| a.took);
    let costs: Vec<Duration> = first.iter().map(cost).collect();
    let order = slow_first(&costs);
    let states = map(jobs, &order, |_, place| {
        let state = match &first[*place] {
            Ok(asked) => measure_one(seed, &asked.reply, anew, &askers[*place]),
            Err(error) => Ok(State::CannotRun(error.to_string())),
        };
        state.unwrap_or_else(|error| State::CannotRun(error.to_string()))
    });
    let mut by_place: Vec<_> = order.iter().zip(states).collect();
    by_place.sort_by_key(|(place, _)| **place);
    by_place.into_iter().map(|(_, state)| state).zip(costs).collect()
}

/// The places of `costs`, the highest first.
pub fn slow_first(costs: &[Duration]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..costs.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(costs[*place]));
    places
}

fn measure_one(
    seed: &[u8],
    first: &Reply,
    anew: Option<&Variant>,
    asker: &Asker<'_>,
) -> io::Result<State> {
    let picture = match first {
        Reply::Picture(picture) => picture.clone(),
        failure => {
            let outcome = oracle::judge(&Picture::new(0, 0, Vec::new()), failure);
            return Ok(State::CannotRead { outcome, message: oracle::message(failure).into() });
        }
    };
    if asker.ask(seed, Process::Fresh)?.reply != Reply::Picture(picture.clone()) {
        return Ok(State::Unsteady);
    }
    let mut baseline = Baseline { seed: picture, anew: None, finding: None };
    if let Some(variant) = anew {
        let first = asker.ask(&variant.bytes, Process::Any)?.reply;
        let outcome = oracle::judge(&baseline.seed, &first);
        if outcome.is_difference() {
            let second = asker.ask(&variant.bytes, Process::Fresh)?.reply;
            let flaky = !oracle::agree(&first, &second);
            baseline.finding = Some(Anew {
                outcome,
                again: oracle::judge(&baseline.seed, &second),
                flaky,
                message: oracle::message(&first).to_owned(),
            });
            if let (Reply::Picture(picture), false) = (first, flaky) {
                baseline.anew = Some(picture);
            }
        }
    }
    Ok(State::Ready(baseline))
}
