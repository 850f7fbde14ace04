//! The place where repfuzz may create control groups: its own group, or one above it.
//!
//! Except for the root, a group that contains processes cannot limit groups inside it. If repfuzz is alone in its
//! group, as in a service or a scope that systemd delegates to it, it therefore moves itself into a separate group.
//! Otherwise it uses a group above that already limits its members, as the slices of systemd's user sessions do.

use std::fs;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::cgroup::{self, ControlGroup};
use crate::description::Limits;

/// The controllers that limit memory, and the number of processes.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The reason why groups cannot be used that others own.
const DELEGATE: &str = "no control group is delegated to repfuzz (run it by `systemd-run --user --scope \
                        --property=Delegate=yes`)";

/// A group in which others can be created.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parent {
    /// Its folder.
    pub folder: PathBuf,
    /// The reason why groups in it limit nothing; `None` if they limit memory and the number of processes.
    pub unlimited: Option<String>,
    /// The smallest memory limit of the groups that contain it, in bytes.
    pub memory: Option<u64>,
}

/// Returns the place for our groups, or the reason why there is none.
fn parent() -> Result<&'static Parent, &'static str> {
    static PARENT: OnceLock<Result<Parent, String>> = OnceLock::new();
    PARENT.get_or_init(find).as_ref().map_err(String::as_str)
}

/// Creates a group with these limits, as far as possible. If `in_memory`, its files are in memory, so their limit is
/// added to the memory limit.
pub(super) fn group(limits: &Limits, in_memory: bool) -> Option<ControlGroup> {
    let parent = parent().ok()?;
    let group = ControlGroup::within(&parent.folder).ok()?;
    let files = if in_memory { limits.disk_mb } else { 0 };
    let memory = match limits.memory_mb {
        0 => None,
        most => Some((most + files) << 20),
    };
    // Limits that cannot be enforced here are sampled.
    let _ = group.limit(memory, limits.processes);
    Some(group)
}

/// Returns whether control groups let the kernel limit memory and the number of processes for all processes of a
/// program together; the value is the smallest memory limit of repfuzz's own group, in bytes.
///
/// # Errors
///
/// The reason why it does not.
pub(crate) fn kernel_limits() -> Result<Option<u64>, &'static str> {
    let parent = parent()?;
    parent.unlimited.as_deref().map_or(Ok(parent.memory), Err)
}

/// Finds a place where groups can be created.
///
/// # Errors
///
/// The reason why there is no such place, and what to do.
fn find() -> Result<Parent, String> {
    let read = |file: &str| fs::read_to_string(file).map_err(|e| format!("{file}: {e}"));
    let (mounts, own) = (read("/proc/self/mounts")?, read("/proc/self/cgroup")?);
    let (root, group) = group_in(&mounts, &own)?;
    let found = find_from(&root, &group, &joins);
    found.map(|parent| Parent { unlimited: explained(parent.unlimited, &mounts), ..parent })
}

/// Finds the root of version 2, and the folder of our group in it, from the texts of `/proc/self/mounts` and
/// `/proc/self/cgroup`.
fn group_in(mounts: &str, own: &str) -> Result<(PathBuf, PathBuf), String> {
    let mount = mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_, folder, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "cgroup2").then_some(folder)
    });
    let mount = mount.ok_or("version 2 of control groups is not mounted")?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"));
    let path = path.ok_or("repfuzz is in no control group of version 2")?;
    Ok((mount.into(), Path::new(mount).join(path.trim_start_matches('/'))))
}

/// Adds an explanation if a missing controller belongs to version 1.
fn explained(unlimited: Option<String>, mounts: &str) -> Option<String> {
    let old = |line: &str| {
        let mut words = line.split(' ').skip(2);
        words.next() == Some("cgroup")
            && words.next().is_some_and(|options| options.split(',').any(|word| word == "memory"))
    };
    match unlimited {
        Some(_) if mounts.lines().any(old) => {
            let why = "control groups of version 1 limit memory here, not those of version 2 (boot with \
                       `systemd.unified_cgroup_hierarchy=1`)";
            Some(why.to_owned())
        }
        other => other,
    }
}

/// Like [`find`], from our `group` up to the `root`. `joins` tests whether a process can be moved into a group.
fn find_from(
    root: &Path,
    group: &Path,
    joins: &dyn Fn(&ControlGroup) -> Result<(), String>,
) -> Result<Parent, String> {
    let mut best: Option<Parent> = None;
    let mut refused = None;
    for folder in group.ancestors().take_while(|folder| folder.starts_with(root)) {
        cgroup::remove_left(folder);
        let unlimited = control(folder, folder == group).err();
        match tried(folder, unlimited.is_none(), joins) {
            Ok(()) => {
                let memory = least_memory(root, folder);
                let found = Parent { folder: folder.to_owned(), unlimited, memory };
                if found.unlimited.is_none() {
                    return Ok(found);
                }
                best = best.or(Some(found));
            }
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    best.ok_or_else(|| refused.unwrap_or_else(|| "there is no control group".to_owned()))
}

/// Creates a group and moves a process into it, as a trial.
fn tried(
    folder: &Path,
    limited: bool,
    joins: &dyn Fn(&ControlGroup) -> Result<(), String>,
) -> Result<(), String> {
    let group = ControlGroup::within(folder).map_err(|e| refused(&e))?;
    let has = |name: &str| group.folder().join(name).exists();
    if !has("cgroup.kill") {
        return Err("the kernel cannot kill control groups (Linux 5.14)".to_owned());
    }
    if limited && !(has("memory.max") && has("pids.max")) {
        return Err("control groups have no limits".to_owned());
    }
    joins(&group)
}

/// Tests whether a process can be moved into this group.
fn joins(group: &ControlGroup) -> Result<(), String> {
    let mut cat = Command::new("cat");
    cat.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = cat.spawn().map_err(|e| format!("cat: {e}"))?;
    let moved = group.add(child.id());
    // The process ends when its input ends.
    drop(child.stdin.take());
    let _ = child.wait();
    moved.map_err(|e| refused(&e))
}

/// The reason why a group cannot be created or used.
fn refused(error: &std::io::Error) -> String {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match error.kind() {
        PermissionDenied | ReadOnlyFilesystem => DELEGATE.to_owned(),
        _ => format!("control groups cannot be created: {error}"),
    }
}

/// Makes groups in this folder limit their processes; `own` if it is our own group.
///
/// # Errors
///
/// The reason why they do not.
fn control(folder: &Path, own: bool) -> Result<(), String> {
    let words = |file: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.split_ascii_whitespace().map(str::to_owned).collect()
    };
    let has = |all: &[String]| CONTROLLERS.iter().all(|one| all.iter().any(|word| word == one));
    if has(&words("cgroup.subtree_control")) {
        return Ok(());
    }
    if !has(&words("cgroup.controllers")) {
        return Err(DELEGATE.to_owned());
    }
    let enable = || fs::write(folder.join("cgroup.subtree_control"), "+memory +pids");
    if enable().is_ok() {
        return Ok(());
    }
    let me = std::process::id();
    if own && words("cgroup.procs") == [me.to_string()] {
        // The group contains this process until it ends. The next repfuzz removes the group.
        let group = ControlGroup::within(folder).map(ManuallyDrop::new);
        group.and_then(|group| group.add(me)).map_err(|e| refused(&e))?;
        return enable().map_err(|e| refused(&e));
    }
    Err(DELEGATE.to_owned())
}

/// Returns the smallest memory limit of this group and of the groups that contain it, in bytes.
fn least_memory(root: &Path, folder: &Path) -> Option<u64> {
    let limit =
        |folder: &Path| fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok();
    folder.ancestors().take_while(|folder| folder.starts_with(root)).filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_version_2_is_found() {
        let mounts =
            "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let own = "1:cpu:/a\n0::/user.slice/b\n";
        let (root, folder) = group_in(mounts, own).unwrap();
        assert_eq!(root, Path::new("/sys/fs/cgroup/unified"));
        assert_eq!(folder, Path::new("/sys/fs/cgroup/unified/user.slice/b"));
        assert!(group_in("proc /proc proc rw 0 0\n", own).unwrap_err().contains("not mounted"));
        assert!(group_in(mounts, "1:cpu:/a\n").unwrap_err().contains("no control group"));
    }

    #[test]
    fn controllers_of_version_1_are_named() {
        let mounts = "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0\n";
        let why = || Some("why".to_owned());
        assert!(explained(why(), mounts).unwrap().contains("version 1"));
        assert_eq!(explained(why(), "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"), why());
        assert_eq!(explained(None, mounts), None);
    }

    /// A hierarchy on a disk: `a/b`, with these controllers in both, and with those of `a` enabled for its subgroups.
    /// Groups created in it have no files, so no trial succeeds.
    fn fake(enabled: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for folder in ["a/b", "a"] {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("cgroup.controllers"), "cpu memory pids\n").unwrap();
            fs::write(folder.join("cgroup.procs"), "1\n").unwrap();
        }
        fs::write(root.path().join("a/cgroup.subtree_control"), enabled).unwrap();
        root
    }

    #[test]
    fn a_group_limits_its_members_if_its_controllers_are_enabled() {
        let root = fake("memory pids\n");
        assert_eq!(control(&root.path().join("a"), false), Ok(()));
        // On a disk, every file can be written.
        let inner = root.path().join("a/b");
        assert_eq!(control(&inner, true), Ok(()));
        let written = fs::read_to_string(inner.join("cgroup.subtree_control")).unwrap();
        assert_eq!(written, "+memory +pids");
        fs::write(inner.join("cgroup.subtree_control"), "").unwrap();
        fs::write(inner.join("cgroup.controllers"), "cpu pids\n").unwrap();
        assert!(control(&inner, true).unwrap_err().contains("Delegate=yes"));
    }

    #[test]
    fn a_hierarchy_in_which_no_group_works_is_refused_with_the_reason() {
        let root = fake("memory pids\n");
        let why = find_from(root.path(), &root.path().join("a/b"), &|_| Ok(())).unwrap_err();
        assert!(why.starts_with("control groups cannot be created: "), "{why}");
        // The trials leave nothing behind.
        let left = fs::read_dir(root.path().join("a/b")).unwrap().flatten();
        assert!(!left.into_iter().any(|entry| entry.path().is_dir()));
    }

    #[test]
    fn the_least_memory_limit_above_counts() {
        let root = fake("");
        let least = || least_memory(root.path(), &root.path().join("a/b"));
        assert_eq!(least(), None);
        fs::write(root.path().join("a/memory.max"), "1000\n").unwrap();
        fs::write(root.path().join("a/b/memory.max"), "max\n").unwrap();
        assert_eq!(least(), Some(1000));
        fs::write(root.path().join("memory.max"), "500\n").unwrap();
        assert_eq!(least(), Some(500));
    }

    #[test]
    fn the_groups_of_this_machine_work_or_there_is_a_reason() {
        match find() {
            Ok(parent) if parent.unlimited.is_none() => {
                let group = ControlGroup::within(&parent.folder).unwrap();
                assert!(group.folder().join("memory.max").exists());
            }
            Ok(Parent { unlimited: why, .. }) => assert!(why.is_some_and(|why| !why.is_empty())),
            Err(why) => assert!(!why.is_empty()),
        }
    }
}
