//! A control group for each run, where repfuzz may create some: the kernel kills all its processes at once,
//! wherever they went.
//!
//! It needs version 2 and Linux 5.14 (`cgroup.kill`), mounted anywhere. No controller is used.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The start of the names of our groups; the process id of repfuzz follows.
const PREFIX: &str = "repfuzz-";
/// Time to wait for killed processes. They take longer only if they hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(3);

/// A group of processes. Dropping it kills them.
pub(super) struct ControlGroup {
    folder: PathBuf,
    members: File,
}

impl ControlGroup {
    /// Creates a group if that is possible here.
    pub(super) fn new() -> Option<Self> {
        static PARENT: OnceLock<Option<PathBuf>> = OnceLock::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let parent = PARENT.get_or_init(usable).as_ref()?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self::create(&parent.join(format!("{PREFIX}{}-{number}", std::process::id()))).ok()
    }

    fn create(folder: &Path) -> io::Result<Self> {
        fs::create_dir(folder)?;
        let members = File::options().write(true).open(folder.join("cgroup.procs"));
        match members {
            Ok(members) => Ok(Self { folder: folder.to_owned(), members }),
            Err(e) => {
                let _ = fs::remove_dir(folder);
                Err(e)
            }
        }
    }

    /// Returns the work of a child before `exec` by which it joins. It makes one system call.
    pub(super) fn join(&self) -> io::Result<impl FnMut() -> io::Result<()> + Send + Sync + use<>> {
        let mut members = self.members.try_clone()?;
        // 0 is the process that writes.
        Ok(move || members.write_all(b"0"))
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
        let end = Instant::now() + PATIENCE;
        // A group can be removed when its last process is gone.
        let mut pause = Duration::from_micros(50);
        while fs::remove_dir(&self.folder).is_err() && Instant::now() < end {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Returns our own group if groups can be created in it. Groups of earlier runs that were killed are removed.
fn usable() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let folder = group_in(&mounts, &own)?;
    for entry in fs::read_dir(&folder).ok()?.flatten() {
        let left = entry.file_name().to_str().is_some_and(is_left);
        if left {
            // A group with processes cannot be removed.
            let _ = fs::remove_dir(entry.path());
        }
    }
    let tried = ControlGroup::create(&folder.join(format!("{PREFIX}{}-test", std::process::id())));
    let works = tried.is_ok_and(|group| {
        let joined = fs::exists(group.folder.join("cgroup.kill")).unwrap_or(false);
        drop(group);
        joined
    });
    works.then_some(folder)
}

/// Returns true if the group of this name belongs to a repfuzz that is gone.
fn is_left(name: &str) -> bool {
    let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
    pid.and_then(|pid| pid.parse::<u32>().ok())
        .is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists())
}

/// Finds the folder of our group of version 2, from the texts of `/proc/self/mounts` and `/proc/self/cgroup`.
fn group_in(mounts: &str, own: &str) -> Option<PathBuf> {
    let mount = mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_, folder, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "cgroup2").then_some(folder)
    })?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(Path::new(mount).join(path.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_version_2_is_found() {
        let mounts =
            "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let own = "1:cpu:/a\n0::/user.slice/b\n";
        let folder = Path::new("/sys/fs/cgroup/unified/user.slice/b");
        assert_eq!(group_in(mounts, own).as_deref(), Some(folder));
        assert_eq!(group_in("proc /proc proc rw 0 0\n", own), None);
        assert_eq!(group_in(mounts, "1:cpu:/a\n"), None);
    }

    #[test]
    fn groups_of_the_living_are_kept() {
        assert!(!is_left(&format!("{PREFIX}{}-7", std::process::id())));
        assert!(is_left(&format!("{PREFIX}{}-7", u32::MAX)));
        assert!(!is_left("repfuzz-notes") && !is_left("system.slice"));
    }
}
