//! Programs run within limits: started, watched, and killed with all their descendants.
//!
//! - Each program has a session of its own, hence a process group; writes no core dumps; and
//!   dies with repfuzz. At the end the whole group is killed, and so are descendants that left
//!   the group or the session (see `containment.rs`), at once where control groups can be
//!   created (`cgroup.rs`).
//! - The kernel limits address space, the size of each file, and open files. Resident memory,
//!   processes and the size of the scratch folder are sampled while the program runs.
//! - Its output is drained continuously; only the start and the end are kept.
//! - Its files are written and read by one module, which follows no link (`folder`).
//! - A [sandbox](super::sandbox) surrounds all of it.

mod answer;
mod blocked;
mod cgroup;
mod child;
mod containment;
mod folder;
mod idleness;
mod pipe;
mod sampling;
mod scratch;
mod spawner;
mod start;
mod tail;
mod usage;
mod watch;

use std::io;
use std::process::ExitStatus;
use std::time::Instant;

pub(super) use answer::Answer;
pub(super) use folder::{Folder, Found, content, is_obstacle};
pub(super) use scratch::Scratch;
pub(super) use start::{Job, Started, Stdout};
pub(super) use tail::Tail;
pub(super) use watch::{Watch, WatchResult};

/// The end of a program.
pub(super) struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: Tail,
    /// Its standard error.
    pub stderr: Tail,
    /// The limit that it exceeded, if it was killed for that.
    pub stopped: Option<Stop>,
    /// The bytes in the file that its standard output went to; 0 if there is none.
    pub printed: u64,
    /// The largest address space observed, in bytes. It is sampled: short runs are missed.
    pub peak_address_space: u64,
    /// Its process id.
    pub pid: u32,
}

/// The limit for which a program was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It took too long.
    Time,
    /// Its folder grew too large.
    Disk,
    /// Its folder has too many files.
    Files,
    /// It used too much memory.
    Memory,
    /// It printed too much.
    Messages,
    /// It started too many processes and threads.
    Processes,
}

/// Runs a program to its end, or to a limit.
pub(super) fn run(job: &Job<'_>, deadline: Instant) -> io::Result<Ended> {
    let mut started = Started::new(job)?;
    let watch = Watch { scratch: job.scratch, limits: job.limits, deadline, wakes: None };
    let stopped = match started.watch(&watch, &mut |_| false) {
        Ok(WatchResult::Stopped(stop)) => Some(stop),
        Ok(_) => None,
        Err(e) => {
            started.end(None)?;
            return Err(e);
        }
    };
    started.end(stopped)
}
