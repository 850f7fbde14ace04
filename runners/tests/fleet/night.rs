//! The results of a night do not depend on where its clients run.

use std::time::Duration;

use crate::fleet::{Night, Process};
use crate::nats::Nats;

const LIMIT: Duration = Duration::from_secs(300);

#[test]
#[ignore = "slow: minutes"]
fn a_night_is_the_same_on_one_machine_on_one_worker_and_on_eight() {
    let Some(nats) = Nats::start() else { return };
    let here = Night::new(6, "0");
    let ran = here.run_here();
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    let expected = here.results();
    assert!(expected.iter().filter(|line| line.contains("cause")).count() >= 2, "{expected:?}");
    for workers in [1, 8] {
        let night = Night::new(6, "0");
        let name = |k| format!("w{workers}-{k}");
        let work = |k| night.work(&nats.url(), &name(k), &[]);
        let workers: Vec<Process> = (0..workers).map(work).collect();
        let count = workers.len().to_string();
        let mut server = night.serve(&nats.url(), &["--workers", &count]);
        assert_eq!(server.wait(LIMIT), 1);
        assert_eq!(night.results(), expected, "{count} workers");
        assert_eq!(night.told(), here.told());
        // Nothing is left of it.
        assert!(!night.path().join("nightly.sqlite-fleet").exists());
    }
}
