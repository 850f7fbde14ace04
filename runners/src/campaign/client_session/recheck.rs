//! Runs clients again on files whose outcome was recorded before.

use tiff_harness::Picture;

use super::executor::ClientExecutor;
use super::measure::{measure, reencoded};
use super::session::ClientSession;
use crate::campaign::base::Base;
use crate::campaign::records::{ClientId, Log};
use crate::campaign::runtime::{Budget, Stop, map};
use crate::client::{Client, Reply};
use crate::oracle::{Expectation, Outcome};
use crate::subject::Subject;

/// A file to run a client on again.
#[derive(Debug, Clone, Copy)]
pub struct Recheck<'f> {
    /// Its bytes.
    pub file: &'f [u8],
    /// The picture that the client's reply is compared with.
    pub reference: Reference<'f>,
}

/// The picture that a client's reply is compared with.
#[derive(Debug, Clone, Copy)]
pub enum Reference<'f> {
    /// The client's picture of the seed: for the re-encoded seed.
    Seed,
    /// The reference of variants.
    Variants,
    /// The client's picture of this file: for files of other pictures.
    Of(&'f [u8]),
}

/// Returns the worse outcome of two runs for each file of each client; `None` if the client
/// cannot be judged by this seed, or cannot be run.
pub fn recheck(
    subject: &dyn Subject,
    work: &[(&dyn Client, Vec<Recheck<'_>>)],
    jobs: usize,
    stop: &Stop,
) -> Vec<Vec<Option<Outcome>>> {
    if work.is_empty() {
        return Vec::new();
    }
    let (log, budget) = (Log::to(std::io::sink()), Budget::new(stop, None));
    let base = Base::of(subject);
    let (subject, given): (&dyn Subject, _) = (&base.subject, base.given.as_ref());
    let reencoded = reencoded(subject);
    let executors: Vec<ClientExecutor<'_>> =
        work.iter().map(|(client, _)| ClientExecutor::new(*client, &log, &budget)).collect();
    let measured = measure(subject, reencoded.as_ref(), given, &executors, jobs, stop);
    let clients: Vec<ClientId> = ClientId::all(work.len()).collect();
    map(jobs, &clients, |_, client| {
        let (executor, baseline) = (&executors[*client], measured.states[*client].baseline());
        let worse = |recheck: &Recheck<'_>| {
            let own;
            let reference = match recheck.reference {
                Reference::Seed => &baseline?.seed,
                Reference::Variants => baseline?.reference(),
                Reference::Of(seed) => {
                    own = shown(executor, baseline?.reference(), seed)?;
                    &own
                }
            };
            // A file of another picture was found beside a seed that the client reads well.
            let session = match recheck.reference {
                Reference::Seed | Reference::Variants => {
                    ClientSession::on_subject(executor, subject, reference)
                }
                Reference::Of(_) => ClientSession::new(executor, Expectation::own(reference)),
            };
            let once = || Some(session.run_fresh(recheck.file).ok()??.judgment.outcome);
            Some(once()?.min(once()?))
        };
        work[*client].1.iter().map(worse).collect()
    })
}

/// Returns the client's picture of `file`; `None` if it shows none. The reference is irrelevant.
fn shown(executor: &ClientExecutor<'_>, any: &Picture, file: &[u8]) -> Option<Picture> {
    match ClientSession::new(executor, Expectation::own(any)).run_fresh(file).ok()??.reply {
        Reply::Picture(picture) => Some(picture),
        _ => None,
    }
}
