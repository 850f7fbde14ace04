//! Known files, given to clients again.

use tiff_harness::Picture;

use super::executor::Asker;
use super::measure::{measure, reencoded};
use super::session::Bench;
use crate::campaign::error::CampaignError;
use crate::campaign::records::Log;
use crate::campaign::runtime::{Budget, Stop, map};
use crate::client::{Client, Reply};
use crate::oracle::Outcome;
use crate::subject::Subject;

/// A file that is given to a client again.
#[derive(Debug, Clone, Copy)]
pub struct Again<'f> {
    /// Its bytes.
    pub file: &'f [u8],
    /// What it is held to.
    pub measure: Measure<'f>,
}

/// What the client's picture of a file is held to.
#[derive(Debug, Clone, Copy)]
pub enum Measure<'f> {
    /// Its picture of the seed: for the seed written anew.
    Seed,
    /// What variants are held to.
    Variants,
    /// Its picture of this file: for files of other pictures.
    Of(&'f [u8]),
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
    let anew = reencoded(subject)?;
    let askers: Vec<Asker<'_>> =
        work.iter().map(|(client, _)| Asker::new(*client, &log, &budget)).collect();
    let states = measure(subject, anew.as_ref(), &askers, jobs, stop);
    let places: Vec<usize> = (0..work.len()).collect();
    Ok(map(jobs, &places, |_, place| {
        let baseline = states[*place].0.baseline();
        let worse = |again: &Again<'_>| {
            let own;
            let reference = match again.measure {
                Measure::Seed => &baseline?.seed,
                Measure::Variants => baseline?.reference(),
                Measure::Of(seed) => {
                    own = shown(&askers[*place], baseline?.reference(), seed)?;
                    &own
                }
            };
            let bench = Bench::new(&askers[*place], reference);
            let once = || Some(bench.afresh(again.file).ok()??.judged.outcome);
            Some(once()?.min(once()?))
        };
        work[*place].1.iter().map(worse).collect()
    }))
}

/// The client's picture of `file`; `None` if it makes none.
fn shown(asker: &Asker<'_>, any: &Picture, file: &[u8]) -> Option<Picture> {
    match Bench::new(asker, any).afresh(file).ok()??.reply {
        Reply::Picture(picture) => Some(picture),
        _ => None,
    }
}
