//! Sandboxing by the kernel alone, without privileges: Landlock, a system call filter, and namespaces.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::thread::UnshareFlags;

use super::confined::Place;
use super::filter::{self, Surroundings};
use super::mounts::ReadOnly;
use super::privileges;
use crate::process::Namespaces;

/// The kernel features that are used. Landlock must be able to keep signals inside (its version 6, Linux 6.12), because
/// otherwise a program could stop every process of its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// True for user, network, IPC and mount namespaces. Without them the filter of system calls
    /// refuses sockets and IPC.
    namespaces: bool,
    /// True if scratch folders are in-memory file systems, which require namespaces.
    in_memory: bool,
    /// True if it is used because bubblewrap, which is installed, failed.
    fallback: bool,
}

/// The newest Landlock version used.
const KNOWN: ABI = ABI::V6;
/// Devices to which a program may write, in addition to its folder.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

impl Kernel {
    /// All combinations, the best first. If `fallback`, they replace bubblewrap, which failed.
    pub(super) fn all(fallback: bool) -> Vec<Self> {
        [(true, true), (true, false), (false, false)]
            .map(|(namespaces, in_memory)| Self { namespaces, in_memory, fallback })
            .to_vec()
    }

    /// Returns true if scratch folders are file systems in memory.
    pub(super) fn is_in_memory(self) -> bool {
        self.in_memory
    }

    /// The name, which ends with [`FALLBACK`](super::FALLBACK) for a fallback.
    pub(super) fn name(self) -> &'static str {
        match (self.namespaces, self.fallback) {
            (true, false) => "Landlock and namespaces",
            (false, false) => "Landlock",
            (true, true) => "Landlock and namespaces, as bubblewrap failed",
            (false, true) => "Landlock, as bubblewrap failed",
        }
    }

    /// Returns true if it has namespaces.
    pub(super) fn has_namespaces(self) -> bool {
        self.namespaces
    }

    /// Builds the work of the child before `exec`.
    pub(super) fn enter(
        self,
        place: &Place<'_>,
    ) -> io::Result<Box<dyn FnMut() -> io::Result<()> + Send + Sync>> {
        let (scratch, connects) = (place.scratch, place.connects());
        let mut rules = Some(rules(place).map_err(other)?);
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        // User and group ids are mapped to themselves.
        let users = format!("{0} {0} 1", user.as_raw());
        let groups = format!("{0} {0} 1", group.as_raw());
        let read_only = ReadOnly::but(scratch)?;
        let namespaces = self.namespaces;
        let mut inside = place.inside.map(Namespaces::enter).transpose()?;
        let filter = filter::build(Surroundings {
            own_network: namespaces,
            own_ipc: namespaces,
            own_mounts: namespaces,
            own_processes: false,
            connects,
        })?;
        let filter = filter.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported))?;
        Ok(Box::new(move || {
            if let Some(inside) = &mut inside {
                inside()?;
            }
            if namespaces {
                let flags = UnshareFlags::NEWUSER
                    | UnshareFlags::NEWNET
                    | UnshareFlags::NEWIPC
                    | UnshareFlags::NEWNS;
                // SAFETY: the process has a single thread, between fork and exec, and no file
                // descriptor table is unshared.
                #[allow(unsafe_code)]
                unsafe { rustix::thread::unshare_unsafe(flags) }?;
                put("/proc/self/setgroups", b"deny")?;
                put("/proc/self/gid_map", groups.as_bytes())?;
                put("/proc/self/uid_map", users.as_bytes())?;
                read_only.enter()?;
            }
            let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
            if let Some(rules) = rules.take() {
                rules.restrict_self().map_err(|_| denied())?;
            }
            privileges::drop_all()?;
            seccompiler::apply_filter(&filter).map_err(|_| denied())
        }))
    }
}

fn put(file: &str, text: &[u8]) -> io::Result<()> {
    File::options().write(true).open(file)?.write_all(text)
}

fn other(error: landlock::RulesetError) -> io::Error {
    io::Error::other(error.to_string())
}

/// The folder of POSIX shared memory.
const SHARED: &str = "/dev/shm";

/// Rules: everything but other programs' shared memory may be read and executed, the scratch folder written; no
/// signal and no connection to an abstract socket leaves the sandbox. Names of shared memory can be listed.
fn rules(place: &Place<'_>) -> Result<RulesetCreated, landlock::RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    let write = AccessFs::from_all(KNOWN);
    ruleset
        .set_compatibility(CompatLevel::BestEffort)
        .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(all_but(Path::new(SHARED)), AccessFs::from_read(KNOWN)))?
        .add_rules(path_beneath_rules(place.own, AccessFs::from_read(KNOWN)))?
        .add_rule(PathBeneath::new(place.folder, write))?
        .add_rules(path_beneath_rules(DEVICES, write))
}

/// Lists paths that cover the file system without this folder: its neighbors, and those of its parent folders. This is
/// necessary because Landlock has no exceptions. A folder that cannot be listed is left out.
fn all_but(folder: &Path) -> Vec<PathBuf> {
    let Ok(folder) = folder.canonicalize() else { return vec!["/".into()] };
    let mut all = Vec::new();
    for (inner, outer) in folder.ancestors().zip(folder.ancestors().skip(1)) {
        let entries = std::fs::read_dir(outer).into_iter().flatten().flatten();
        // The target of a link is found under its own name.
        let real = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        all.extend(real.map(|entry| entry.path()).filter(|path| path != inner));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_left_out_and_nothing_else() {
        let top = tempfile::tempdir().unwrap();
        let at = |name: &str| top.path().join(name).canonicalize().unwrap();
        std::fs::create_dir_all(top.path().join("a/b")).unwrap();
        std::fs::create_dir(top.path().join("a/c")).unwrap();
        std::fs::write(top.path().join("d"), "").unwrap();
        let all = all_but(&at("a/b"));
        let covered = |path: &Path| all.iter().any(|one| path.starts_with(one));
        assert!(covered(&at("a/c")) && covered(&at("d")) && covered(Path::new("/proc")));
        assert!(!covered(&at("a/b")) && !covered(&at("a")) && !covered(Path::new("/")));
    }
}
