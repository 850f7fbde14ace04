//! Known files, given to clients again.

use super::ask::Asker;
use super::baseline;
use super::bench::Bench;
use super::parallel::map;
use super::{Budget, CampaignError, Log, Stop};
use crate::client::Client;
use crate::oracle::Outcome;
use crate::subject::Subject;

/// A file that is given to a client again.
#[derive(Debug, Clone, Copy)]
pub struct Again<'f> {
    /// Its bytes.
    pub file: &'f [u8],
    /// Whether it is the seed written anew, which is held to the seed; others are held to
    /// what variants are held to.
    pub anew: bool,
}

/// What each client makes of its files: the worse of two runs. `None` where that cannot be
/// told: the client cannot be judged by this seed, or be run.
///
/// # Errors
///
/// [`CampaignError::Defect`].
pub fn again(
    subject: &dyn Subject,
    work: &[(&dyn Client, Vec<Again<'_>>)],
    jobs: usize,
    stop: &Stop,
) -> Result<Vec<Vec<Option<Outcome>>>, CampaignError> {
    if work.is_empty() {
        return Ok(Vec::new());
    }
    let (log, budget) = (Log::to(std::io::sink()), Budget::new(stop, None));
    let anew = baseline::anew(subject)?;
    let askers: Vec<Asker<'_>> =
        work.iter().map(|(client, _)| Asker::new(*client, &log, &budget)).collect();
    let states = baseline::measure(subject, anew.as_ref(), &askers, jobs, stop);
    let places: Vec<usize> = (0..work.len()).collect();
    Ok(map(jobs, &places, |_, place| {
        let baseline = states[*place].0.baseline();
        let worse = |again: &Again<'_>| {
            let reference = if again.anew { &baseline?.seed } else { baseline?.reference() };
            let bench = Bench::new(&askers[*place], reference);
            let once = || Some(bench.afresh(again.file).ok()??.judged.outcome);
            Some(once()?.min(once()?))
        };
        work[*place].1.iter().map(worse).collect()
    }))
}
