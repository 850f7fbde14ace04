//! NATS loses its storage, and workers go away for good.

use std::fs;
use std::time::{Duration, Instant};

use crate::fleet::{Night, Process};
use crate::nats::Nats;

const LIMIT: Duration = Duration::from_secs(400);

/// Waits until results of the night arrived.
fn under_way(night: &Night, server: &mut Process) {
    let begun = Instant::now();
    while night.arrived() == 0 {
        assert!(server.ended().is_none(), "it ended before");
        assert!(begun.elapsed() < LIMIT, "no result arrives");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn summary(night: &Night) -> String {
    fs::read_to_string(night.path().join("nightly-report/summary.txt")).unwrap()
}

#[test]
fn a_nats_server_that_lost_everything_is_given_it_again() {
    let Some(mut nats) = Nats::start() else { return };
    let here = Night::new(6, "0");
    assert_eq!(here.run_here().status.code(), Some(1));
    let night = Night::new(6, "0.2");
    let _worker = night.work(&nats.url(), "w-1", &[]);
    let mut server = night.serve(&nats.url(), &[]);
    under_way(&night, &mut server);
    nats.kill();
    nats.wipe();
    nats.restart();
    assert_eq!(server.wait(LIMIT), 1);
    assert_eq!(night.results(), here.results());
    assert_eq!(night.told(), here.told());
}

#[test]
fn a_night_without_workers_ends_at_its_time_with_lost_coverage() {
    let Some(nats) = Nats::start() else { return };
    // Far more than the time is enough for.
    let night = Night::new(100_000, "0.2").within(30);
    let mut worker = night.work(&nats.url(), "w-1", &[]);
    let mut server = night.serve(&nats.url(), &[]);
    while night.id().is_none() && server.ended().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    worker.kill();
    // It ends by itself, and the night is closed: the ledger is gone.
    assert_eq!(server.wait(LIMIT), 1);
    assert!(!night.path().join("nightly.sqlite-fleet").exists());
    let summary = summary(&night);
    assert!(summary.contains("LOST COVERAGE") && summary.contains("time was used up"), "{summary}");
}

#[test]
fn one_signal_ends_a_night_without_workers() {
    let Some(nats) = Nats::start() else { return };
    let night = Night::new(100_000, "0.2");
    let mut worker = night.work(&nats.url(), "w-1", &[]);
    let mut server = night.serve(&nats.url(), &[]);
    under_way(&night, &mut server);
    worker.kill();
    server.terminate();
    // It can be resumed.
    assert_eq!(server.wait(LIMIT), 2);
    assert!(night.path().join("nightly.sqlite-fleet").exists());
}
