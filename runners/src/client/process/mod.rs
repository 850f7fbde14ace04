//! Programs within limits: started, watched, and ended with all that they have started.
//!
//! - Each has a session of its own, hence a process group; no core dumps; it dies with
//!   repfuzz. At the end the whole group is killed, and so are its descendants that left the
//!   group or the session (see `containment.rs`);
//! - an address space limit (or a watch on resident memory), a limit on every file's size, on
//!   open files, and, looked at while it runs, on processes and the scratch folder as a whole;
//! - what it prints is read all the time and only its ends kept;
//! - a [sandbox](super::sandbox) around all of it.

mod child;
mod containment;
mod pipe;
mod scratch;
mod spawner;
mod start;
mod tail;
mod usage;
mod watch;

use std::io;
use std::process::ExitStatus;
use std::time::Instant;

pub(super) use scratch::Scratch;
pub(super) use start::{Job, Started, Stdout};
pub(super) use tail::Tail;
pub(super) use watch::{Seen, Watch};

/// How a program ended.
pub(super) struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: Tail,
    /// What it complained.
    pub stderr: Tail,
    /// Why we stopped it, if we did.
    pub stopped: Option<Stop>,
    /// The largest address space seen, in bytes. A glimpse: short runs are not seen.
    pub peak_address_space: u64,
    /// Its process id.
    pub pid: u32,
}

/// Why a program was stopped.
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
    let watch = Watch { scratch: job.scratch, limits: job.limits, deadline };
    let stopped = match started.watch(&watch, &mut |_| false) {
        Ok(Seen::Stopped(stop)) => Some(stop),
        Ok(_) => None,
        Err(e) => {
            started.end(None)?;
            return Err(e);
        }
    };
    started.end(stopped)
}
