//! Faults of small viewers are found behind their limits.

use std::io;
use std::sync::Arc;

use campaign::oracle::Outcome;
use campaign::{About, Campaign, Guidance, Log, Run, Settings, Stop};
use clients::Client;
use indicatif::ProgressBar;

use super::median;
use crate::mutants::viewers::{Limited, Shared, VIEWERS, Viewer};

/// Runs a campaign on the viewer, with at most `reductions` reductions. Returns for each fault the number
/// of files within the limits up to the first that exposed it.
fn hunt(
    viewer: &'static Viewer,
    seed: u64,
    guidance: Guidance,
    reductions: usize,
) -> (Run, Vec<Option<usize>>) {
    let limited = Arc::new(Limited::new(viewer));
    let client: Box<dyn Client> = Box::new(Shared(Arc::clone(&limited)));
    let run = Campaign {
        subject: &viewer.photo.seed(),
        clients: &[client],
        settings: Settings { seed, guidance, reductions, jobs: 2, ..Settings::default() },
        about: About::default(),
        log: &Log::to(io::sink()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap();
    (run, limited.exposed())
}

#[test]
fn faults_are_found_behind_limits() {
    for (viewer, seed) in VIEWERS.iter().zip(1..) {
        let (_, exposed) = hunt(viewer, seed, Guidance::Guided, 0);
        let found = exposed.iter().filter(|first| first.is_some()).count();
        assert_eq!(found, viewer.faults.len(), "{}: {:?} {exposed:?}", viewer.name, viewer.faults);
    }
}

/// Prints for each fault the number of runs that find it, of 20, and the median of the files within the
/// limits that they need; and the median of the files that each run spends on refusals. `ORDER=random`
/// measures the other order, and `VIEWER=name` one viewer.
#[test]
#[ignore = "slow: 240 campaigns"]
fn faults_are_found_behind_limits_in_nearly_all_runs() {
    let runs: u64 = std::env::var("RUNS").map_or(20, |n| n.parse().unwrap());
    let random = std::env::var("ORDER").is_ok_and(|order| order == "random");
    let guidance = if random { Guidance::Random } else { Guidance::Guided };
    let only = std::env::var("VIEWER").ok();
    let mut missed = Vec::new();
    println!("{:<18}{:<22}{:>6}{:>8}{:>9}", "viewer", "fault", "found", "files", "refused");
    for viewer in VIEWERS.iter().filter(|v| only.as_ref().is_none_or(|name| name == v.name)) {
        let hunts: Vec<_> = (1..=runs).map(|seed| hunt(viewer, seed, guidance, 0)).collect();
        let refused = |run: &Run| run.clients[0].outcomes[Outcome::Refused.rank()];
        let refused = median(hunts.iter().map(|(run, _)| refused(run)).collect());
        for (k, fault) in viewer.faults.iter().enumerate() {
            let files: Vec<usize> = hunts.iter().filter_map(|(_, found)| found[k]).collect();
            let (found, fault) = (files.len(), format!("{fault:?}"));
            let median = if files.is_empty() { 0 } else { median(files) };
            println!("{:<18}{fault:<22}{found:>6}{median:>8}{refused:>9}", viewer.name);
            if found as u64 * 20 < runs * 19 {
                missed.push(format!("{}: {fault}", viewer.name));
            }
        }
    }
    assert!(random || missed.is_empty(), "{missed:?}");
}
