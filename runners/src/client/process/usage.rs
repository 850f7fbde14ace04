//! Resource usage of a process and its descendants, from `/proc`.

use std::fs;

use super::containment::children_of;

/// Recursion limit for descendants.
const DEEPEST: usize = 10;
/// The most processes that are examined.
const MOST: u64 = 4096;

/// Resource usage of a process and its descendants.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::client) struct Usage {
    /// The peak address space of the largest process, in bytes.
    pub address_space: u64,
    /// The resident memory of all together now, in bytes.
    pub resident: u64,
    /// The number of processes and threads.
    pub tasks: u64,
    /// The processor time of all together, in clock ticks.
    pub ticks: u64,
    /// True if any of them is running, or waits for a disk.
    pub running: bool,
}

/// Measures the process `pid` and its descendants.
pub(in crate::client) fn of(pid: u32) -> Usage {
    let mut used = Usage::default();
    add(pid, 0, &mut used);
    used
}

fn add(pid: u32, depth: usize, used: &mut Usage) {
    if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
        let field = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|l| l.strip_prefix(name))?;
            line.split_ascii_whitespace().next()?.parse().ok()
        };
        used.address_space = used.address_space.max(field("VmPeak:").unwrap_or(0) << 10);
        used.resident = used.resident.saturating_add(field("VmRSS:").unwrap_or(0) << 10);
        used.tasks += field("Threads:").unwrap_or(1).max(1);
    }
    if let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) {
        used.ticks += ticks_in(&stat).unwrap_or(0);
        used.running |= stat.rsplit_once(") ").is_some_and(|(_, s)| s.starts_with(['R', 'D']));
    }
    if depth < DEEPEST && used.tasks < MOST {
        for child in children_of(pid) {
            add(child.as_raw_nonzero().get().unsigned_abs(), depth + 1, used);
        }
    }
}

/// Parses user and system time in a line of `/proc/PID/stat`: words 14 and 15, counted past the
/// program's name, which is in parentheses and may contain anything.
fn ticks_in(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_ascii_whitespace().skip(11);
    let mut next = || words.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 15 27 0 0 20 0 1 0 99";
        assert_eq!(ticks_in(stat), Some(42));
        assert_eq!(ticks_in("7 (a) S"), None);
    }

    #[test]
    fn a_process_uses_something() {
        let used = of(std::process::id());
        assert!(used.resident > 0 && used.tasks > 0 && used.address_space >= used.resident);
        assert_eq!(of(u32::MAX), Usage::default());
    }
}
