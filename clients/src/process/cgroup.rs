//! A control group for each run, if repfuzz may create some: the kernel limits the memory and the number of all its
//! processes together, and kills all of them at once, wherever they went.
//!
//! This needs version 2 and Linux 5.14 (`cgroup.kill`). [`cgroup_parent`](super::cgroup_parent) finds where groups can
//! be created.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;

use super::Stop;

/// The prefix of the names of our groups, before the process and a number. A systemd unit may begin in the same way:
/// `repfuzz-worker.service`.
pub(super) const PREFIX: &str = "repfuzz-run-";
/// Time to wait for killed processes. They take longer only if they hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(3);

/// A group of processes. Dropping it kills them.
#[derive(Debug)]
pub(super) struct ControlGroup {
    folder: PathBuf,
    members: File,
    /// The lock. A group without one was left by a repfuzz that was killed.
    _lock: File,
}

impl ControlGroup {
    /// Creates a group without limits in the group of this folder.
    pub(super) fn within(parent: &Path) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        Self::open(&folder).inspect_err(|_| drop(fs::remove_dir(&folder)))
    }

    fn open(folder: &Path) -> io::Result<Self> {
        let lock = File::open(folder)?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let members = File::options().write(true).open(folder.join("cgroup.procs"))?;
        Ok(Self { folder: folder.to_owned(), members, _lock: lock })
    }

    /// Its folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sets the limits for all its processes together: memory in bytes, without swapping, and their number.
    pub(super) fn limit(&self, memory: Option<u64>, processes: u64) -> io::Result<()> {
        let set = |name: &str, value: &str| fs::write(self.folder.join(name), value);
        set("pids.max", &processes.to_string())?;
        if let Some(bytes) = memory {
            set("memory.max", &bytes.to_string())?;
            // The system may have no swapping that could be limited.
            let _ = set("memory.swap.max", "0");
            // Otherwise the kernel would kill one process, and the others would continue without its work.
            set("memory.oom.group", "1")?;
        }
        Ok(())
    }

    /// Returns the work that a child does before `exec` to join. It makes one system call.
    pub(super) fn join(&self) -> io::Result<impl FnMut() -> io::Result<()> + Send + Sync + use<>> {
        let mut members = self.members.try_clone()?;
        // The number 0 refers to the process that writes it.
        Ok(move || members.write_all(b"0"))
    }

    /// Moves a process into the group.
    pub(super) fn add(&self, pid: u32) -> io::Result<()> {
        (&self.members).write_all(pid.to_string().as_bytes())
    }

    /// Returns the limit that its processes have reached: the kernel killed them, or refused to start another one.
    pub(super) fn exceeded(&self) -> Option<Stop> {
        let count = |file: &str, name: &str| -> u64 {
            let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
            let word = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            word.and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        if count("memory.events", "oom_kill") > 0 {
            Some(Stop::Memory)
        } else if count("pids.events", "max") > 0 {
            Some(Stop::Processes)
        } else {
            None
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Kills the processes of a group, and removes it.
fn remove(folder: &Path) {
    let _ = fs::write(folder.join("cgroup.kill"), "1");
    let end = Instant::now() + PATIENCE;
    // A group can be removed only when its last process is gone.
    let mut pause = Duration::from_micros(50);
    while fs::remove_dir(folder).is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
        && Instant::now() < end
    {
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Removes the groups in `parent` that a killed repfuzz left, with their processes.
pub(super) fn remove_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(is_ours)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ours
            && let Ok(lock) = File::open(entry.path())
            && rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            remove(&entry.path());
        }
    }
}

/// Returns true for the names that [`ControlGroup::within`] gives.
fn is_ours(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use std::mem::ManuallyDrop;

    use super::*;

    /// A folder that looks like a group. Its files are on a disk, so dropping the group would not remove it.
    fn fake() -> (tempfile::TempDir, ManuallyDrop<ControlGroup>) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cgroup.procs"), "").unwrap();
        let group = ManuallyDrop::new(ControlGroup::open(folder.path()).unwrap());
        (folder, group)
    }

    #[test]
    fn limits_are_written_where_the_kernel_reads_them() {
        let (folder, group) = fake();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        group.limit(None, 7).unwrap();
        assert_eq!((read("pids.max").as_deref(), read("memory.max")), (Some("7"), None));
        group.limit(Some(64 << 20), 7).unwrap();
        assert_eq!(read("memory.max").as_deref(), Some("67108864"));
        assert_eq!(read("memory.swap.max").as_deref(), Some("0"));
        assert_eq!(read("memory.oom.group").as_deref(), Some("1"));
        group.join().unwrap()().unwrap();
        group.add(42).unwrap();
        assert_eq!(read("cgroup.procs").as_deref(), Some("042"));
    }

    #[test]
    fn a_limit_that_was_met_is_read_from_the_events() {
        let (folder, group) = fake();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(group.exceeded(), None);
        write("pids.events", "max 0\n");
        write("memory.events", "low 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n");
        assert_eq!(group.exceeded(), None);
        write("pids.events", "max 3\n");
        assert_eq!(group.exceeded(), Some(Stop::Processes));
        write("memory.events", "max 12\noom 1\noom_kill 2\n");
        assert_eq!(group.exceeded(), Some(Stop::Memory));
    }

    #[test]
    fn groups_without_a_lock_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        for name in ["repfuzz-run-1-0", "repfuzz-run-2-0", "repfuzz-run-1.service", "system.slice"]
        {
            fs::create_dir(at(name)).unwrap();
        }
        let used = File::open(at("repfuzz-run-2-0")).unwrap();
        rustix::fs::flock(&used, FlockOperation::NonBlockingLockExclusive).unwrap();
        // `cgroup.kill` would remain on a disk; only the attempt to write it counts.
        remove_left(parent.path());
        assert!(at("repfuzz-run-2-0").exists() && at("system.slice").exists());
        assert!(at("repfuzz-run-1.service").exists());
        assert!(!at("repfuzz-run-1-0").exists() || at("repfuzz-run-1-0/cgroup.kill").exists());
    }
}
