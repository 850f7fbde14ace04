//! Runs clients again on files whose outcome was recorded before.

use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::executor::ClientExecutor;
use super::measure::{measure, reencoded};
use super::session::ClientSession;
use crate::base::Base;
use crate::oracle::{Expectation, Outcome};
use crate::records::{ClientId, Judgment, Log};
use crate::runtime::{Budget, Stop, map};
use clients::message::shape;
use clients::{Client, Reply};
use equivalents::subject::Subject;

/// A file to run a client on again.
#[derive(Debug, Clone, Copy)]
pub struct Recheck<'f> {
    /// Its bytes.
    pub file: &'f [u8],
    /// The picture with which the client's reply is compared.
    pub reference: Reference<'f>,
}

/// The picture with which a client's reply is compared.
#[derive(Debug, Clone, Copy)]
pub enum Reference<'f> {
    /// The client's picture of the seed, with which the re-encoded seed is compared.
    Seed,
    /// The picture with which variants are compared.
    Variants,
    /// The client's picture of this file, for files of other pictures.
    Of(&'f [u8]),
}

/// The result of two more runs on a file. It is costly if it takes many times the resources of the plainest file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rechecked {
    /// The worse outcome.
    pub outcome: Outcome,
    /// The better outcome; the same if the two runs agree.
    pub better: Outcome,
    /// The client's message; `None` if the two runs have different outcomes or messages that differ in
    /// more than numbers.
    pub message: Option<String>,
}

impl Rechecked {
    fn of(first: Judgment, second: Judgment) -> Self {
        let agree =
            first.outcome == second.outcome && shape(&first.message) == shape(&second.message);
        let outcome = first.outcome.min(second.outcome);
        let better = first.outcome.max(second.outcome);
        Self { outcome, better, message: agree.then_some(first.message) }
    }

    /// Returns true if neither run was right.
    pub fn always_fails(&self) -> bool {
        self.better.is_difference()
    }
}

/// Returns the results of two runs for each file of each client; `None` if the client cannot be judged
/// by this seed, or cannot be run. `time` limits all of them; later files have no result.
pub fn recheck(
    subject: &dyn Subject,
    work: &[(&dyn Client, Vec<Recheck<'_>>)],
    jobs: usize,
    stop: &Stop,
    time: Option<Duration>,
) -> Vec<Vec<Option<Rechecked>>> {
    if work.is_empty() {
        return Vec::new();
    }
    let (log, budget) = (Log::to(std::io::sink()), Budget::new(stop, time));
    let base = Base::of(subject);
    let (subject, given): (&dyn Subject, _) = (&base.subject, base.given.as_ref());
    let reencoded = reencoded(subject);
    let executors: Vec<ClientExecutor<'_>> =
        work.iter().map(|(client, _)| ClientExecutor::new(*client, &log, &budget)).collect();
    let measured = measure(subject, reencoded.as_ref(), given, &executors, jobs, stop);
    let clients: Vec<ClientId> = ClientId::all(work.len()).collect();
    map(jobs, &clients, |_, client| {
        let (executor, baseline) = (&executors[*client], measured.states[*client].baseline());
        let again = |recheck: &Recheck<'_>| {
            if budget.ends_variants() {
                return None;
            }
            let own;
            let reference = match recheck.reference {
                Reference::Seed => &baseline?.seed,
                Reference::Variants => baseline?.reference(),
                Reference::Of(seed) => {
                    own = shown(executor, baseline?.reference(), seed)?;
                    &own
                }
            };
            // With `Reference::Of`, the finding is on a file of another picture, although the client reads the seed
            // well.
            let session = match recheck.reference {
                Reference::Seed | Reference::Variants => {
                    ClientSession::on_subject(executor, subject, reference)
                }
                Reference::Of(_) => ClientSession::new(executor, Expectation::own(reference)),
            };
            let once = || Some(session.run_fresh(recheck.file).ok()??.judgment);
            let mut first = once()?;
            // This compares with the plainest file, because there are no others from which a median could be taken.
            let equal = match recheck.reference {
                Reference::Seed | Reference::Variants => subject.seed_bytes(),
                Reference::Of(seed) => seed,
            };
            if session.learn_usual(&first, equal).ok()? {
                first = once()?;
            }
            Some(Rechecked::of(first, once()?))
        };
        work[*client].1.iter().map(again).collect()
    })
}

/// Makes the variants of these `choices`, which differ from those of the file from which variants of `seed` derive;
/// `None` for those that do not exist.
pub fn replay_from_base<'c>(
    seed: &dyn Subject,
    choices: impl Iterator<Item = &'c Choices>,
) -> Vec<Option<Vec<u8>>> {
    let base = Base::of(seed);
    choices.map(|choices| Some(base.subject.replay(choices).ok()?.bytes)).collect()
}

/// Returns the client's picture of `file`; `None` if it shows none. The reference is irrelevant.
fn shown(executor: &ClientExecutor<'_>, any: &Picture, file: &[u8]) -> Option<Picture> {
    match ClientSession::new(executor, Expectation::own(any)).run_fresh(file).ok()??.reply {
        Reply::Picture(picture) => Some(picture),
        _ => None,
    }
}
