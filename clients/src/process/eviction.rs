//! Kills programs that hold files of repfuzz open, such as its store, because they can keep locks on these files.
//!
//! Any program that can read a file can lock it, and a sandbox lets a program read all files.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};

use super::containment::{self, children_of};
use super::usage;

/// The maximum number of processes that are examined.
const MOST_PROCESSES: u64 = 65_536;

/// The leaders of runs of which a process was killed.
static EVICTED: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// Kills the processes started here, and their descendants, that have one of these files open. Returns their number.
pub fn evict(files: &[PathBuf]) -> usize {
    let wanted: HashSet<(u64, u64)> = files
        .iter()
        .filter_map(|file| fs::metadata(file).ok())
        .map(|meta| (meta.dev(), meta.ino()))
        .collect();
    let mut killed = 0;
    for root in children_of(std::process::id()) {
        let root = root.as_raw_nonzero().get().unsigned_abs();
        for pid in usage::tree(vec![root], MOST_PROCESSES) {
            if !holds(pid, &wanted) {
                continue;
            }
            // This comes before the kill, so that the end of the program is not taken for one of its own accord.
            let leaders = [pid, root].into_iter().filter_map(containment::session_of);
            EVICTED.lock().unwrap_or_else(PoisonError::into_inner).extend(leaders);
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
                killed += 1;
            }
        }
    }
    killed
}

/// Returns true if a process of the run with this leader was killed by [`evict`], and clears that record.
pub(super) fn was_evicted(leader: Pid) -> bool {
    let leader = leader.as_raw_nonzero().get();
    let mut evicted = EVICTED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = evicted.len();
    evicted.retain(|known| *known != leader);
    evicted.len() < before
}

/// Returns true if a process has one of the files open or mapped.
fn holds(pid: u32, wanted: &HashSet<(u64, u64)>) -> bool {
    let process = Path::new("/proc").join(pid.to_string());
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.filter_map(|entry| fs::metadata(entry.path()).ok())
        .any(|meta| wanted.contains(&(meta.dev(), meta.ino())))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_with_an_open_file_is_killed_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let (store, other) = (folder.path().join("store"), folder.path().join("other"));
        fs::write(&store, "").unwrap();
        fs::write(&other, "").unwrap();
        let with = |file: &Path| {
            let mut sleep = Command::new("sleep");
            sleep.arg("60").stdin(fs::File::open(file).unwrap()).stdout(Stdio::null());
            sleep.spawn().unwrap()
        };
        let (mut holder, mut bystander) = (with(&store), with(&other));
        assert_eq!(evict(&[store, folder.path().join("missing")]), 1);
        assert!(!holder.wait().unwrap().success());
        assert!(bystander.try_wait().unwrap().is_none());
        bystander.kill().unwrap();
        bystander.wait().unwrap();
    }
}
