//! Files that clients read rightly, but for far more time or memory than others of the same picture.

use std::io;
use std::time::Duration;

use crate::fake::{Fake, Puppet, Seen, right};
use campaign::oracle::Outcome;
use campaign::{Recheck, Reference, Run, Stop};
use clients::{Client, Observed, Process, Reply, Spent};
use equivalents::subject::Subject;
use inverter::solve::Choices;

use super::campaign::{found, run};

/// The time and memory of a client for a file that it has now read this many times, in such a process.
type Takes = fn(&Seen, usize, Process) -> Option<Spent>;

/// A client that shows every file rightly.
struct Measured {
    takes: Takes,
    shows: Puppet,
}

fn measured(takes: Takes) -> Box<dyn Client> {
    Box::new(Measured { takes, shows: Puppet::with("measured", |_, _| Ok(right())) })
}

impl Client for Measured {
    fn name(&self) -> &str {
        self.shows.name()
    }
    fn version(&self) -> &str {
        self.shows.version()
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        self.shows.run(file)
    }
    fn observe(&self, file: &[u8], process: Process) -> io::Result<Observed> {
        let reply = self.run(file)?;
        let (seen, times) = self.shows.seen(file);
        Ok(Observed { spent: (self.takes)(&seen, times, process), ..reply.into() })
    }
}

/// Measurements of a process that reads one file.
fn alone(millis: u64, mebibytes: u64) -> Option<Spent> {
    let cpu = Duration::from_millis(millis);
    Some(Spent { cpu, peak: Some(mebibytes << 20), alone: true })
}

/// Measurements of a process that reads other files as well.
fn beside(millis: u64) -> Option<Spent> {
    Some(Spent { alone: false, ..alone(millis, 5)? })
}

fn result_of(takes: Takes) -> Run {
    run(&[measured(takes)], 120, 2).0
}

fn count(run: &Run, outcome: Outcome) -> usize {
    run.clients[0].outcomes[outcome.rank()]
}

#[test]
fn slow_layouts_and_those_that_take_memory_are_reduced_to_their_causes() {
    let run = result_of(|file, _, _| match (file.is("big", "yes"), file.int("orientation") > 4) {
        (true, false) => alone(900, 12),
        (_, true) => alone(20, 700),
        _ => alone(20 + file.int("rows") as u64, 10),
    });
    assert_eq!(found(&run), ["measured: memory Minimal orientation", "measured: slow Minimal big"],);
    let [memory, slow] = &run.causes[..] else { unreachable!() };
    assert_eq!(memory.values, ["5", "6", "7", "8"]);
    assert!(memory.message.starts_with("takes 700 MiB of memory; the median"), "{memory:?}");
    assert!(slow.message.starts_with("takes 0.90 s of processor time"), "{slow:?}");
    assert_eq!(
        (count(&run, Outcome::Slow), count(&run, Outcome::Memory)),
        (slow.count, memory.count)
    );
}

#[test]
fn a_median_is_of_all_files_so_that_what_most_take_is_usual() {
    let run = result_of(|file, _, _| alone(if file.int("orientation") == 1 { 1 } else { 900 }, 9));
    assert_eq!(found(&run), [""; 0]);
}

#[test]
fn noise_is_no_finding() {
    // The first run of each file with large rows is slow, and none of the others.
    let run = result_of(|file, times, _| match (file.int("rows") >= 16, times) {
        (true, 1) => alone(5000, 900),
        _ => alone(10, 10),
    });
    assert_eq!(found(&run), [""; 0]);
    assert_eq!((count(&run, Outcome::Slow), count(&run, Outcome::Memory)), (0, 0));
}

#[test]
fn one_of_five_runs_that_is_as_usual_is_enough_for_none() {
    let run = result_of(|file, times, _| match (file.is("big", "yes"), times % 5) {
        (true, 0) => alone(10, 10),
        (true, _) => alone(5000, 10),
        _ => alone(10, 10),
    });
    assert_eq!(found(&run), [""; 0]);
}

/// A worker's files are timed by the clock, beside others; only processes of their own count.
#[test]
fn hints_of_workers_are_confirmed_by_processes_that_read_one_file() {
    let unmeasured: Takes = |file, _, process| match (process, file.is("big", "yes")) {
        (Process::Fresh, true) => alone(9300, 10),
        (Process::Fresh, false) => alone(300, 10),
        (Process::Any, _) => None,
    };
    let hinted: Takes = |file, _, process| match (process, file.is("big", "yes")) {
        (Process::Fresh, _) => alone(300, 10),
        (Process::Any, true) => beside(9000),
        (Process::Any, false) => beside(1),
    };
    for takes in [unmeasured, hinted] {
        assert_eq!(found(&result_of(takes)), [""; 0]);
    }
    let both: Takes = |file, _, process| {
        // The start of the process takes most of the usual time.
        let millis = if file.is("big", "yes") { 9000 } else { 1 };
        match process {
            Process::Any => beside(millis),
            Process::Fresh => alone(300 + millis, 10),
        }
    };
    let run = result_of(both);
    assert_eq!(found(&run), ["measured: slow Minimal big"]);
    assert!(count(&run, Outcome::Slow) > 1);
}

/// Known examples are judged without the files of a plan: the plainest file shows what is usual.
#[test]
fn known_examples_are_slow_until_they_are_not() {
    let slow: Takes = |file, _, _| alone(if file.is("big", "yes") { 900 } else { 20 }, 9);
    let noisy: Takes = |file, times, _| match (file.is("big", "yes"), times) {
        (true, 1) => alone(900, 9),
        _ => alone(20, 9),
    };
    let mended: Takes = |_, _, _| alone(20, 9);
    let subject = Fake::new();
    let big = Choices::from_iter([("big".to_owned(), "yes".into())]);
    let file = subject.replay(&big).unwrap().bytes;
    let stop = Stop::new();
    for (takes, expected) in
        [(slow, Outcome::Slow), (noisy, Outcome::Same), (mended, Outcome::Same)]
    {
        let client = measured(takes);
        let recheck = Recheck { file: &file, reference: Reference::Variants };
        let work = [(&*client, vec![recheck])];
        let results = campaign::recheck(&subject, &work, 1, &stop, None);
        let Some(rechecked) = &results[0][0] else { panic!("{results:?}") };
        assert_eq!((rechecked.outcome, rechecked.better), (expected, expected));
    }
}
