//! What each client makes of the seed: the measure of everything after.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use super::ask::{Asked, Asker, Process};
use super::parallel::{guarded, map};
use super::{CampaignError, Stop};
use crate::client::Reply;
use crate::oracle::{self, Outcome};
use crate::subject::{Subject, Variant, VariantError};

/// Whether and by what a client can be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum State {
    /// It reads the seed.
    Ready(Baseline),
    /// It fails on the seed itself.
    CannotRead {
        /// How.
        outcome: Outcome,
        /// Its own words.
        message: String,
    },
    /// Two runs on the seed gave two results.
    Unsteady,
    /// It could not be run at all: trouble on our side.
    CannotRun(String),
}

/// The pictures that a client is measured by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// What it makes of the seed.
    #[serde(with = "super::pack::picture")]
    pub seed: Picture,
    /// What it makes of the seed written anew with the same choices, if that is another
    /// picture: a finding of its own, and then the measure of the variants.
    #[serde(with = "super::pack::maybe_picture")]
    pub anew: Option<Picture>,
    /// What it does with the seed written anew, if it differs from the seed.
    pub finding: Option<Anew>,
}

/// A difference on the seed written anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Anew {
    /// What the client does.
    pub outcome: Outcome,
    /// What it does the second time.
    pub again: Outcome,
    /// Whether the two runs disagree.
    pub flaky: bool,
    /// Its own words.
    pub message: String,
}

impl Baseline {
    /// What variants are compared with.
    pub fn reference(&self) -> &Picture {
        self.anew.as_ref().unwrap_or(&self.seed)
    }
}

impl State {
    /// The word for it in the results.
    pub fn word(&self) -> &'static str {
        match self {
            State::Ready(_) => "ready",
            State::CannotRead { .. } => "cannot-read-seed",
            State::Unsteady => "unsteady",
            State::CannotRun(_) => "cannot-run",
        }
    }

    /// Why a client cannot be judged, as the end of a sentence; `None` for one that can.
    pub fn objection(&self) -> Option<&'static str> {
        match self {
            State::Ready(_) => None,
            State::CannotRead { .. } => Some("cannot read the seed"),
            State::Unsteady => Some("two runs on the seed gave two results"),
            State::CannotRun(_) => Some("cannot be run"),
        }
    }

    /// The baseline of a client that can be judged.
    pub fn baseline(&self) -> Option<&Baseline> {
        match self {
            State::Ready(baseline) => Some(baseline),
            _ => None,
        }
    }
}

/// The seed written anew with its own choices, if that gives another file.
pub fn anew(subject: &dyn Subject) -> Result<Option<Variant>, CampaignError> {
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
