//! Measures the resource usage of processes, from `/proc`.

use std::fs;

use super::containment::children_of;

/// Resource usage of processes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// The peak address space of the largest process, in bytes.
    pub address_space: u64,
    /// The peak resident memory of the largest process, in bytes.
    pub peak: u64,
    /// The current resident memory of all processes together, in bytes. Shared pages count for each process.
    pub resident: u64,
    /// The number of processes and threads.
    pub tasks: u64,
    /// The processor time of all processes together, in clock ticks.
    pub ticks: u64,
    /// True if any process is running, or waiting for a disk.
    pub running: bool,
}

/// Lists these processes and their descendants; if there are more than `most`, some of them.
pub(crate) fn tree(roots: Vec<u32>, most: u64) -> Vec<u32> {
    let mut all = roots;
    let mut next = 0;
    while next < all.len() && all.len() as u64 <= most {
        let children = children_of(all[next]).into_iter();
        all.extend(children.map(|child| child.as_raw_nonzero().get().unsigned_abs()));
        next += 1;
    }
    all
}

/// Returns the number of a task of this process through which `/proc` shows its memory and files: its own or, if the
/// first thread has ended, another one.
pub(super) fn living(pid: u32) -> u32 {
    let has_ended = |task: u32| {
        let stat = fs::read_to_string(format!("/proc/{task}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
    };
    if !has_ended(pid) {
        return pid;
    }
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let mut tasks = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
    tasks.find(|task| !has_ended(*task)).unwrap_or(pid)
}

/// Measures these processes.
pub(crate) fn of(pids: &[u32]) -> Usage {
    let mut used = Usage::default();
    for pid in pids.iter().copied().map(living) {
        if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
            let field = |name: &str| field(&status, name);
            used.address_space = used.address_space.max(field("VmPeak:").unwrap_or(0) << 10);
            used.peak = used.peak.max(field("VmHWM:").unwrap_or(0) << 10);
            used.resident = used.resident.saturating_add(field("VmRSS:").unwrap_or(0) << 10);
            used.tasks += field("Threads:").unwrap_or(1).max(1);
        }
        if let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) {
            used.ticks += ticks_in(&stat).unwrap_or(0);
            used.running |= stat.rsplit_once(") ").is_some_and(|(_, s)| s.starts_with(['R', 'D']));
        }
    }
    used
}

/// Returns the peak resident memory of repfuzz itself, in bytes.
pub(super) fn own_peak() -> u64 {
    of(&[std::process::id()]).peak
}

/// Measures the memory of these processes in bytes, counting shared pages once. They hold `files` in memory, in bytes,
/// any part of which may be mapped.
pub(crate) fn memory(pids: &[u32], files: u64) -> u64 {
    let (mut own, mut shared) = (0_u64, 0_u64);
    for pid in pids.iter().copied().map(living) {
        let (text, all, of_files) = match fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) {
            Ok(text) => (text, "Pss:", "Pss_Shmem:"),
            // The process has ended, or may not be traced.
            Err(_) => match fs::read_to_string(format!("/proc/{pid}/status")) {
                Ok(text) => (text, "VmRSS:", "RssShmem:"),
                Err(_) => continue,
            },
        };
        let field = |name: &str| field(&text, name).unwrap_or(0) << 10;
        own = own.saturating_add(field(all).saturating_sub(field(of_files)));
        shared = shared.saturating_add(field(of_files));
    }
    own.saturating_add(shared.max(files))
}

/// Parses the number after `name` in a file of lines `name number`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Parses user and system time in a line of `/proc/PID/stat`: words 14 and 15, counted from the end of the program's
/// name, which is in parentheses and may contain anything.
fn ticks_in(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_ascii_whitespace().skip(11);
    let mut next = || words.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn ticks() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 15 27 0 0 20 0 1 0 99";
        assert_eq!(ticks_in(stat), Some(42));
        assert_eq!(ticks_in("7 (a) S"), None);
    }

    #[test]
    fn a_process_whose_first_thread_has_ended_is_measured_by_another() {
        if !test_support::installed("python3") {
            return;
        }
        const PROGRAM: &str = "import ctypes, threading, time\n\
             threading.Thread(target=time.sleep, args=(60,)).start()\n\
             ctypes.CDLL(None).pthread_exit(None)";
        let mut child = Command::new("python3").args(["-c", PROGRAM]).spawn().unwrap();
        let begun = Instant::now();
        while living(child.id()) == child.id() && begun.elapsed() < Duration::from_secs(30) {
            thread::sleep(Duration::from_millis(10));
        }
        let (task, used) = (living(child.id()), memory(&[child.id()], 0));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(task != child.id() && used > 0, "{task}: {used}");
    }

    #[test]
    fn a_process_uses_something() {
        let me = [std::process::id()];
        let used = of(&me);
        assert!(used.resident > 0 && used.tasks > 0 && used.address_space >= used.resident);
        let memory = |files| super::memory(&me, files);
        assert!(memory(0) > 0 && memory(1 << 40) >= 1 << 40);
        assert_eq!((of(&[u32::MAX]), super::memory(&[u32::MAX], 0)), (Usage::default(), 0));
    }
}
