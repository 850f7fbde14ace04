//! Programs run within limits: started, watched, and killed with all their descendants.
//!
//! - Each program has a session of its own, hence a process group; writes no core dumps; and
//!   dies with repfuzz. At the end the whole group is killed, and so are descendants that left
//!   the group or the session (see `containment.rs`), at once where control groups can be
//!   created (`cgroup.rs`).
//! - The kernel limits the address space of each process, the size of each file, and open files; where control groups
//!   can be created, the memory and the number of all processes together as well; and where there are namespaces, the
//!   size of the scratch folder (`memory_disk.rs`). In addition, all of this is sampled while the program runs,
//!   including files that have no name (`deleted.rs`), so that a program that exceeds a limit is stopped with an
//!   explanation.
//! - A program's output is drained continuously; only the start and the end are kept.
//! - Only one module, which follows no links, writes and reads its files (`folder`).
//! - A [sandbox](super::sandbox) surrounds all of it.

mod answer;
mod blocked;
mod cgroup;
mod cgroup_parent;
mod child;
mod containment;
mod deleted;
mod ended;
mod eviction;
mod folder;
mod idleness;
mod memory_disk;
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
use std::time::{Duration, Instant};

use crate::Spent;
pub(super) use answer::Answer;
pub(super) use cgroup_parent::kernel_limits;
pub use eviction::evict;
pub(super) use folder::{Folder, Found, content, is_obstacle};
pub(super) use memory_disk::Namespaces;
pub(super) use scratch::{Scratch, with_remedy};
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
    /// The limit that it exceeded, if it was killed for this reason.
    pub stopped: Option<Stop>,
    /// The number of bytes in the file to which its standard output went; 0 if there is none.
    pub printed: u64,
    /// The largest observed address space, in bytes. It is sampled, so short runs are missed.
    pub peak_address_space: u64,
    /// Its process id.
    pub pid: u32,
    /// The processor time of all its processes.
    pub cpu: Duration,
    /// The peak resident memory of its largest process, in bytes. Short runs that need little memory may not be
    /// measured.
    pub peak: u64,
}

impl Ended {
    /// Returns the processor time and the memory that the program took.
    pub(super) fn spent(&self) -> Spent {
        Spent { cpu: self.cpu, peak: Some(self.peak), alone: true }
    }
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
    /// It held a locked file of repfuzz open.
    Lock,
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
