//! Measures the baseline of every client: its picture of the seed, and of the re-encoded seed.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::executor::{ClientExecutor, ClientRun, Process};
use crate::campaign::error::CampaignError;
use crate::campaign::records::{Baseline, ClientId, ClientState, ReencodedSeed};
use crate::campaign::runtime::{Stop, guarded, map};
use crate::client::Reply;
use crate::oracle;
use crate::subject::{Subject, Variant, VariantError};

/// Encodes the seed again with its own choices. `None` if that gives the seed's bytes, or if
/// there is no such file.
///
/// # Errors
///
/// [`CampaignError::Internal`].
pub fn reencoded(subject: &dyn Subject) -> Result<Option<Variant>, CampaignError> {
    match replay(subject, &Choices::new()) {
        Ok(variant) => Ok((variant.bytes != subject.seed_bytes()).then_some(variant)),
        Err(VariantError::Impossible(_)) => Ok(None),
        Err(VariantError::Internal(what)) => {
            Err(CampaignError::Internal { what, choices: Choices::new() })
        }
    }
}

/// Calls [`Subject::replay`] and turns a panic in it into an internal error.
///
/// # Errors
///
/// As [`Subject::replay`].
pub fn replay(subject: &dyn Subject, choices: &Choices) -> Result<Variant, VariantError> {
    guarded(|| subject.replay(choices)).unwrap_or_else(|panic| Err(VariantError::Internal(panic)))
}

/// The results of all clients on the seed.
pub struct Measured {
    /// The baseline of each client, or the reason why it cannot be judged.
    pub states: Vec<ClientState>,
    /// The approximate duration of one run of each client.
    pub costs: Vec<Duration>,
}

impl Measured {
    /// Returns the clients, the slowest first.
    pub fn slowest_first(&self) -> Vec<ClientId> {
        slowest_first(&self.costs)
    }
}

/// Runs every client twice on the seed, and on the re-encoded seed if there is one.
pub fn measure(
    subject: &dyn Subject,
    reencoded: Option<&Variant>,
    executors: &[ClientExecutor<'_>],
    jobs: usize,
    stop: &Stop,
) -> Measured {
    let seed = subject.seed_bytes();
    let first = map(jobs, executors, |_, executor| {
        if stop.ends_variants() {
            return Err(io::Error::other("stopped before its turn"));
        }
        executor.run(seed, Process::Any)
    });
    // From here on it is clear which clients are slow: they go first.
    let cost = |run: &io::Result<ClientRun>| run.as_ref().map_or(Duration::ZERO, |run| run.took);
    let costs: Vec<Duration> = first.iter().map(cost).collect();
    let order = slowest_first(&costs);
    let states = map(jobs, &order, |_, client| {
        let state = match &first[*client] {
            Ok(run) => measure_one(seed, &run.reply, reencoded, &executors[*client]),
            Err(error) => Ok(ClientState::CannotRun(error.to_string())),
        };
        state.unwrap_or_else(|error| ClientState::CannotRun(error.to_string()))
    });
    let mut by_client: Vec<_> = order.iter().zip(states).collect();
    by_client.sort_by_key(|(client, _)| **client);
    Measured { states: by_client.into_iter().map(|(_, state)| state).collect(), costs }
}

fn slowest_first(costs: &[Duration]) -> Vec<ClientId> {
    let mut clients: Vec<ClientId> = ClientId::all(costs.len()).collect();
    clients.sort_by_key(|client| std::cmp::Reverse(costs[*client]));
    clients
}

fn measure_one(
    seed: &[u8],
    first: &Reply,
    reencoded: Option<&Variant>,
    executor: &ClientExecutor<'_>,
) -> io::Result<ClientState> {
    let picture = match first {
        Reply::Picture(picture) => picture.clone(),
        failure => {
            let outcome = oracle::judge(&Picture::new(0, 0, Vec::new()), failure);
            let message = oracle::message(failure).into();
            return Ok(ClientState::CannotRead { outcome, message });
        }
    };
    if executor.run(seed, Process::Fresh)?.reply != Reply::Picture(picture.clone()) {
        return Ok(ClientState::Unsteady);
    }
    let mut baseline = Baseline { seed: picture, reencoded: None, finding: None };
    if let Some(variant) = reencoded {
        let first = executor.run(&variant.bytes, Process::Any)?.reply;
        let outcome = oracle::judge(&baseline.seed, &first);
        if outcome.is_difference() {
            let second = executor.run(&variant.bytes, Process::Fresh)?.reply;
            let flaky = !oracle::agree(&first, &second);
            baseline.finding = Some(ReencodedSeed {
                outcome,
                again: oracle::judge(&baseline.seed, &second),
                flaky,
                message: oracle::message(&first).to_owned(),
            });
            if let (Reply::Picture(picture), false) = (first, flaky) {
                baseline.reencoded = Some(picture);
            }
        }
    }
    Ok(ClientState::Ready(baseline))
}
