//! Predicts until when a program and its descendants stay idle: all their threads are blocked, and return at known
//! times unless something outside wakes them. The length of a pause is thus known without waiting for its end.

use std::fs;
use std::time::{Duration, Instant};

use super::blocked;
use super::containment::children_of;

/// The maximum number of threads that are examined.
const MOST: usize = 256;
/// Represents a time that never comes.
const FOREVER: Duration = Duration::from_secs(86_400);

/// Follows the threads of a program.
#[derive(Debug)]
pub(super) struct Idleness {
    threads: Vec<Thread>,
    /// The time at which the last examination, or the program, started.
    looked: Instant,
}

/// The state of a thread at one time.
#[derive(Debug, PartialEq, Eq)]
struct State {
    process: u32,
    thread: u32,
    /// The time for which the thread ran so far, and how often it ran.
    ran: String,
    /// The thread's system call.
    call: String,
}

#[derive(Debug)]
struct Thread {
    state: State,
    /// The time since which the thread has been in this state, or an earlier time.
    since: Instant,
}

/// The result of examining a program whose threads are all blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Idle {
    /// The time until which no thread continues by itself.
    pub until: Instant,
    /// True if no thread has run since the previous examination.
    pub same: bool,
}

impl Idleness {
    /// Begins to follow a program that starts now.
    pub(super) fn new() -> Self {
        Self { threads: Vec::new(), looked: Instant::now() }
    }

    /// Examines the threads of the process `pid` and of its descendants. `None` if any of them runs, or may continue at
    /// any time.
    pub(super) fn look(&mut self, pid: u32) -> Option<Idle> {
        let now = Instant::now();
        let mut states = Vec::new();
        // If the current examination fails, the previous one counts.
        add(pid, &mut states)?;
        let same = states.iter().eq(self.threads.iter().map(|thread| &thread.state));
        if !same {
            let before = std::mem::take(&mut self.threads);
            let since = |state: &State| {
                before.iter().find(|t| t.state == *state).map_or(self.looked, |t| t.since)
            };
            self.threads =
                states.into_iter().map(|state| Thread { since: since(&state), state }).collect();
        }
        self.looked = now;
        let mut until = now + FOREVER;
        for Thread { state, since } in &self.threads {
            let due = blocked::due(state.process, &state.call)?;
            until = due.from(*since).map_or(until, |due| until.min(due));
        }
        Some(Idle { until, same })
    }

    /// Returns true if a process of the last examination may be woken by a timer that its threads do not show.
    pub(super) fn has_hidden_timers(&self) -> bool {
        self.threads.iter().any(|Thread { state, .. }| {
            state.process == state.thread && blocked::has_hidden_timers(state.process)
        })
    }
}

/// Adds the states of the threads of a process and its descendants. `None` if one of them has ended meanwhile.
fn add(process: u32, states: &mut Vec<State>) -> Option<()> {
    // This is recorded before its threads: if one creates a process later, the state differs.
    let children = children_of(process);
    for entry in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let path = entry.ok()?.path();
        let read = |name: &str| fs::read_to_string(path.join(name)).ok();
        let thread = path.file_name()?.to_str()?.parse().ok()?;
        states.push(State { process, thread, ran: read("schedstat")?, call: read("syscall")? });
        if states.len() > MOST {
            return None;
        }
    }
    children
        .into_iter()
        .try_for_each(|child| add(child.as_raw_nonzero().get().unsigned_abs(), states))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// The program of the test below.
    #[test]
    #[ignore = "a program that another test starts"]
    fn waits() {
        let minute = rustix::event::Timespec { tv_sec: 60, tv_nsec: 0 };
        let _ = rustix::event::poll(&mut [], Some(&minute));
    }

    #[test]
    fn a_program_that_waits_is_idle_until_its_timer_is_due() {
        let name = "process::idleness::tests::waits";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "--ignored", name]).stdout(Stdio::null());
        let mut idleness = Idleness::new();
        let mut child = command.spawn().unwrap();
        // While the program starts, its threads may wait as well, but not twice in the same state.
        let idle = loop {
            std::thread::sleep(Duration::from_millis(100));
            assert!(child.try_wait().unwrap().is_none(), "it has ended: is it called {name}?");
            match idleness.look(child.id()) {
                Some(idle) if idle.same => break idle,
                _ => {}
            }
        };
        let now = Instant::now();
        assert!(!idleness.has_hidden_timers());
        assert!(idle.until <= now + Duration::from_secs(60), "{idle:?} {now:?}");
        assert!(idle.until > now + Duration::from_secs(10), "{idle:?} {now:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(idleness.look(child.id()).is_none());
    }

    #[test]
    fn a_program_that_runs_is_not_idle() {
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let mut idleness = Idleness::new();
        let seen: Vec<_> = (0..20).map(|_| idleness.look(child.id())).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen.iter().all(|idle| idle.is_none_or(|idle| !idle.same)), "{seen:?}");
    }
}
