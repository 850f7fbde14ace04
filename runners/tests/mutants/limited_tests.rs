//! Faults of small viewers are found behind their limits.

use std::io;
use std::sync::Arc;

use indicatif::ProgressBar;
use runners::campaign::{About, Campaign, Guidance, Log, Run, Settings, Stop};
use runners::client::Client;

use super::median;
use super::mutants::viewers::{Limited, Shared, VIEWERS, Viewer};

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
/// limits that they need.
#[test]
#[ignore = "slow: 400 campaigns"]
fn faults_are_found_behind_limits_in_nearly_all_runs() {
    let runs: u64 = std::env::var("RUNS").map_or(20, |n| n.parse().unwrap());
    let ways = [("guided", Guidance::Guided), ("random", Guidance::Random)];
    let mut missed = Vec::new();
    println!("{:<18}{:<22}{:>16}{:>16}", "viewer", "fault", ways[0].0, ways[1].0);
    for viewer in VIEWERS {
        let found = ways.map(|(_, guidance)| {
            let hunts = (1..=runs).map(|seed| hunt(viewer, seed, guidance, 0).1);
            hunts.collect::<Vec<_>>()
        });
        for (k, fault) in viewer.faults.iter().enumerate() {
            let of =
                |way: usize| -> Vec<usize> { found[way].iter().filter_map(|f| f[k]).collect() };
            let cell = |files: Vec<usize>| match files.len() {
                0 => "0".to_owned(),
                n => format!("{n} ({})", median(files)),
            };
            let fault = format!("{fault:?}");
            println!("{:<18}{fault:<22}{:>16}{:>16}", viewer.name, cell(of(0)), cell(of(1)));
            if of(0).len() as u64 * 20 < runs * 19 {
                missed.push(format!("{}: {fault}", viewer.name));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
