//! What a process and its descendants use, as the kernel tells.

use std::fs;

use super::containment::children_of;

/// How deep descendants are looked for.
const DEEPEST: usize = 10;
/// The most processes that are looked at.
const MOST: u64 = 4096;

/// What a process and its descendants use.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::client) struct Usage {
    /// The largest address space of any one of them, ever, in bytes.
    pub address_space: u64,
    /// What is in memory now, of all together, in bytes.
    pub resident: u64,
    /// Processes and threads.
    pub tasks: u64,
    /// Processor time of all together, in ticks of the kernel.
    pub ticks: u64,
    /// Whether any of them runs, or waits for a disk.
    pub running: bool,
}

/// Of the process `pid` and all below it.
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

/// User and system time in a line of `/proc/PID/stat`: the words 14 and 15, counted past the
/// program's name, which is in parentheses and may hold anything.
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
