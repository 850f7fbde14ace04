//! Every process that a client starts ends with it.
//!
//! The client's process group is killed first. What has left the group is found because
//! repfuzz is a subreaper: when its parent dies, an orphan becomes a child of ours. It belongs
//! to a run if it is in the run's session, or has the run's mark in its environment. An
//! orphan without either is killed when its run is the only one; until then it cannot be
//! told from a helper of another client.

use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};

/// The environment variable that marks the processes of a run.
const MARK: &str = "REPFUZZ_RUN";
/// How long killed processes are waited for: longer only if they hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(3);

/// How many runs there are now.
static LIVE: Mutex<usize> = Mutex::new(0);

fn live() -> MutexGuard<'static, usize> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run of one program. Dropping it kills every process that the run has started; the
/// program itself must have been waited for by then, or be killed by [`Run::kill_group`].
pub(super) struct Run {
    mark: String,
    leader: Option<Pid>,
}

impl Run {
    /// To be called before the program is started.
    pub(super) fn begin() -> Self {
        static SUBREAPER: Once = Once::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        SUBREAPER.call_once(|| {
            // Where this fails, orphans that left their session go to init instead.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        });
        *live() += 1;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { mark: format!("{}.{count}", std::process::id()), leader: None }
    }

    /// What the program's environment must hold.
    pub(super) fn mark(&self) -> (OsString, OsString) {
        (MARK.into(), self.mark.clone().into())
    }

    /// The program was started: the leader of its session and group.
    pub(super) fn started(&mut self, leader: Pid) {
        self.leader = Some(leader);
    }

    /// Kills the process group. Must be called before the leader is waited for: after that
    /// its number may be another's.
    pub(super) fn kill_group(&self) {
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, Signal::KILL);
        }
    }

    fn is_mine(&self, process: &Process) -> bool {
        let in_session = self.leader.is_some_and(|l| process.session == l.as_raw_nonzero().get());
        in_session || process.has_mark(&self.mark)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        until_none(|process| self.is_mine(process));
        let mut live = live();
        if *live == 1 {
            // Nobody else can have started what is left in a session of its own.
            let ours = session_of_self();
            until_none(|process| Some(process.session) != ours);
        }
        *live -= 1;
    }
}

/// Kills and buries the orphans that match, and theirs, which become ours, until there are no
/// more.
fn until_none(matches: impl Fn(&Process) -> bool) {
    let end = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(200);
    // A dead process no longer shows its environment: it is remembered by its number.
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
            match rustix::process::waitpid(Some(child), WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(_) => doomed.retain(|d| *d != child),
                Ok(None) => {}
            }
            any = true;
        }
        if !any || Instant::now() > end {
            return;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What we need to know of a child.
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

/// The session in a line of `/proc/PID/stat`: the fourth word after the program's name,
/// which is in parentheses and may hold anything.
fn session_in(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(3)?.parse().ok()
}

fn session_of_self() -> Option<i32> {
    session_in(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The orphans that became children of ours, with what the main thread has started itself:
/// the kernel gives orphans to the first thread of a subreaper that lives. To look at every
/// thread's children, after each run, would cost more than most runs.
fn orphans() -> Vec<Pid> {
    let me = std::process::id();
    pids(fs::read_to_string(format!("/proc/self/task/{me}/children")).ok().as_deref())
}

/// The children of a process, as the kernel lists them by thread.
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
