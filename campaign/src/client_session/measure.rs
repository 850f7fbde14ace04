//! Measures the baseline of every client: its picture of the seed, and of the re-encoded seed.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::executor::{ClientExecutor, ClientRun};
use crate::oracle::{self, Outcome, Wanted};
use crate::records::{Baseline, ClientId, ClientState, ReencodedSeed};
use crate::runtime::{Stop, map};
use clients::contract::Facts;
use clients::{Process, Reply, is_ignored};
use equivalents::subject::{Subject, Variant};

/// Encodes the seed again with its own choices. `None` if that gives the seed's bytes, or if
/// there is no such file.
pub fn reencoded(subject: &dyn Subject) -> Option<Variant> {
    let again = subject.replay(&Choices::new()).ok()?;
    (again.bytes != subject.seed_bytes()).then_some(again)
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

/// Runs every client twice on the file from which variants derive, and on the re-encoded file if that differs. A client
/// that fails on it, and reads the seed file `given`, is compared with its picture of that file.
pub fn measure(
    subject: &dyn Subject,
    reencoded: Option<&Variant>,
    given: Option<&Variant>,
    executors: &[ClientExecutor<'_>],
    jobs: usize,
    stop: &Stop,
) -> Measured {
    let seed = subject.seed_bytes();
    let first = map(jobs, executors, |_, executor| {
        if stop.ends_variants() {
            return Err(io::Error::other("stopped before its turn"));
        }
        let run = executor.run(seed, Process::Any)?;
        executor.exclude(run.extra.as_ref());
        Ok(run)
    });
    // The slow clients are now known, so they go first.
    let cost = |run: &io::Result<ClientRun>| run.as_ref().map_or(Duration::ZERO, |run| run.took);
    let costs: Vec<Duration> = first.iter().map(cost).collect();
    let order = slowest_first(&costs);
    let states = map(jobs, &order, |_, client| {
        let state = match &first[*client] {
            Ok(run) => {
                let executor = &executors[*client];
                if let Some(state) = measure_by_contract(subject, seed, &run.reply, executor) {
                    return state.unwrap_or_else(|e| ClientState::CannotRun(e.to_string()));
                }
                let measured = measure_one(seed, &run.reply, reencoded, executor);
                let given = given.filter(|given| comparable(subject, given, executor));
                measured.and_then(|state| match (state, given) {
                    (ClientState::CannotRead { outcome, message }, Some(given)) => {
                        measure_given(seed, given, outcome, message, executor)
                    }
                    (state, _) => Ok(state),
                })
            }
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

/// Returns true if the client's picture of `given` can be compared with those of variants: it
/// ignores none of the dimensions in which the two differ.
fn comparable(subject: &dyn Subject, given: &Variant, executor: &ClientExecutor<'_>) -> bool {
    let differing = given.differing_from(subject.own_choices());
    let ignores = executor.client.ignores();
    !differing.iter().any(|(dimension, _)| is_ignored(ignores, dimension))
}

/// Measures a client whose reply to `base`, the file from which variants derive, is not right according to its
/// contract; that is a finding. `None` if it is right, or if the contract does not determine it.
fn measure_by_contract(
    subject: &dyn Subject,
    base: &[u8],
    first: &Reply,
    executor: &ClientExecutor<'_>,
) -> Option<io::Result<ClientState>> {
    let contract = executor.client.contract()?;
    let expected = contract.expected(subject.colors()?, &Facts::of_file(base)?)?;
    let picture = expected.picture().clone();
    let wanted = Wanted::Truth(expected);
    let outcome = wanted.judge(first);
    if !outcome.is_difference() {
        return None;
    }
    let second = executor.run(base, Process::Fresh);
    Some(second.map(|second| {
        let got = if let Reply::Picture(got) = first { Some(got.clone()) } else { None };
        let finding = ReencodedSeed {
            outcome,
            again: wanted.judge(&second.reply),
            flaky: !oracle::agree(first, &second.reply),
            message: oracle::message(first).to_owned(),
            got,
        };
        ClientState::Ready(Baseline {
            seed: picture,
            base_fails: true,
            reencoded: None,
            finding: Some(finding),
            read: None,
        })
    }))
}

/// Uses the seed file to measure a client that had `outcome` on `base`, the file from which variants derive. If it
/// reads the seed file, the failure on `base` is a finding.
fn measure_given(
    base: &[u8],
    given: &Variant,
    outcome: Outcome,
    message: String,
    executor: &ClientExecutor<'_>,
) -> io::Result<ClientState> {
    let run = executor.run(&given.bytes, Process::Any)?;
    executor.exclude(run.extra.as_ref());
    let Reply::Picture(picture) = run.reply else {
        return Ok(ClientState::CannotRead { outcome, message });
    };
    let second = executor.run(&given.bytes, Process::Fresh)?.reply;
    if second != Reply::Picture(picture.clone()) {
        return Ok(ClientState::unsteady(&picture, &second));
    }
    let again = oracle::judge(&picture, &executor.run(base, Process::Fresh)?.reply);
    let flaky = again != outcome;
    let finding = ReencodedSeed { outcome, again, flaky, message, got: None };
    Ok(ClientState::Ready(Baseline {
        seed: picture,
        base_fails: true,
        reencoded: None,
        finding: Some(finding),
        read: None,
    }))
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
    let second = executor.run(seed, Process::Fresh)?.reply;
    if second != Reply::Picture(picture.clone()) {
        return Ok(ClientState::unsteady(&picture, &second));
    }
    let mut baseline =
        Baseline { seed: picture, base_fails: false, reencoded: None, finding: None, read: None };
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
                got: None,
            });
            if let (Reply::Picture(picture), false) = (first, flaky) {
                baseline.reencoded = Some(picture);
            }
        }
    }
    Ok(ClientState::Ready(baseline))
}
