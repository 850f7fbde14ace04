//! Kills every process that a client has started.
//!
//! First the client's process group is killed. Processes that have left the group are found because repfuzz is a
//! subreaper: when its parent dies, an orphan becomes a child of repfuzz. It belongs to a run if it is in the run's
//! session, or has the run's mark in its environment. An orphan with neither is killed when only one run is left;
//! before that, it cannot be distinguished from another client's helper.

use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::ended::{Rusage, wait_for};

/// The environment variable that marks the processes of a run.
const MARK: &str = "REPFUZZ_RUN";
/// Time to wait for killed processes. They take longer only if they hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(3);

/// The number of runs that are live now.
static LIVE: Mutex<usize> = Mutex::new(0);

fn live() -> MutexGuard<'static, usize> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run of one program. Dropping it kills every process that the run has started. Before that, the program itself
/// must have been waited for, or killed by [`ProcessTree::kill_group`].
pub(super) struct ProcessTree {
    mark: String,
    leader: Option<Pid>,
}

impl ProcessTree {
    /// Registers a run. Must be called before the program is started.
    pub(super) fn begin() -> Self {
        static SUBREAPER: Once = Once::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        SUBREAPER.call_once(|| {
            // If this fails, orphans that left their session go to init instead.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        });
        *live() += 1;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { mark: format!("{}.{count}", std::process::id()), leader: None }
    }

    /// The environment variable to set for the program.
    pub(super) fn mark(&self) -> (OsString, OsString) {
        (MARK.into(), self.mark.clone().into())
    }

    /// Records the leader of the run's session and group.
    pub(super) fn started(&mut self, leader: Pid) {
        self.leader = Some(leader);
    }

    /// Kills the process group. Must be called before the leader is waited for, because its id may be reused
    /// afterwards.
    pub(super) fn kill_group(&self) {
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, Signal::KILL);
        }
    }

    /// Lists the processes of the run that are currently children of repfuzz: its leader, and those whose parent has
    /// ended.
    pub(super) fn roots(&self) -> Vec<u32> {
        let Some(leader) = self.leader else { return Vec::new() };
        let mine = |child: &Pid| {
            *child != leader && Process::read(*child).is_some_and(|process| self.is_mine(&process))
        };
        let orphans = orphans().into_iter().filter(mine);
        std::iter::once(leader)
            .chain(orphans)
            .map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
            .collect()
    }

    /// Kills the descendants outside the program's group after the program has been waited for, and returns the
    /// resources that they used.
    pub(super) fn end(&self) -> Rusage {
        until_none(|process| self.is_mine(process))
    }

    fn is_mine(&self, process: &Process) -> bool {
        let in_session = self.leader.is_some_and(|l| process.session == l.as_raw_nonzero().get());
        in_session || process.has_mark(&self.mark)
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.end();
        let mut live = live();
        if *live == 1 {
            // A process that remains in another session cannot have been started by another run.
            let ours = session_of_self();
            until_none(|process| Some(process.session) != ours);
        }
        *live -= 1;
    }
}

/// Kills and reaps matching orphans until there are none left, because their children become orphans in turn. Returns
/// the resources that they used.
fn until_none(matches: impl Fn(&Process) -> bool) -> Rusage {
    let mut used = Rusage::default();
    let end = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(200);
    // A dead process no longer shows its environment, so it is remembered by its id.
    let mut doomed: Vec<Pid> = Vec::new();
    loop {
        let mut any = false;
        for child in orphans() {
            let known = doomed.contains(&child);
            if !known && !Process::read(child).is_some_and(|p| matches(&p)) {
                continue;
            }
            if !known {
                doomed.push(child);
            }
            let _ = rustix::process::kill_process(child, Signal::KILL);
            match wait_for(child, libc::WNOHANG) {
                Ok(None) => {}
                ended => {
                    used.add(ended.ok().flatten().map(|(_, rusage)| rusage).unwrap_or_default());
                    doomed.retain(|d| *d != child);
                }
            }
            any = true;
        }
        if !any || Instant::now() > end {
            return used;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A child process and its session.
struct Process {
    pid: Pid,
    session: i32,
}

impl Process {
    fn read(pid: Pid) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        Some(Self { pid, session: session_in(&stat)? })
    }

    fn has_mark(&self, mark: &str) -> bool {
        let wanted = format!("{MARK}={mark}");
        fs::read(format!("/proc/{}/environ", self.pid.as_raw_nonzero()))
            .is_ok_and(|env| env.split(|&b| b == 0).any(|v| v == wanted.as_bytes()))
    }
}

/// Parses the session in a line of `/proc/PID/stat`: the fourth word after the program's name,
/// which is in parentheses and may contain anything.
fn session_in(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(3)?.parse().ok()
}

/// Returns the session of a process.
pub(super) fn session_of(pid: u32) -> Option<i32> {
    session_in(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn session_of_self() -> Option<i32> {
    session_in(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Lists the children of the main thread, which include the orphans that became our children, because the kernel gives
/// orphans to the first living thread of a subreaper. Reading every thread's children after each run would cost more
/// than most runs.
fn orphans() -> Vec<Pid> {
    let me = std::process::id();
    pids(fs::read_to_string(format!("/proc/self/task/{me}/children")).ok().as_deref())
}

/// Lists the children of a process, which the kernel reports by thread.
pub(super) fn children_of(pid: u32) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| pids(Some(&list)))
        .collect()
}

fn pids(list: Option<&str>) -> Vec<Pid> {
    let words = list.unwrap_or_default().split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok().and_then(Pid::from_raw)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_may_hold_anything() {
        assert_eq!(session_in("12 (a) b (c)) S 1 12 34 0 -1"), Some(34));
        assert_eq!(session_in("12"), None);
    }
}
