//! Sandboxing by the kernel alone, without privileges: Landlock, a system call filter, and namespaces.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::thread::UnshareFlags;

use super::filter::{self, Surroundings};
use super::mounts::ReadOnly;
use super::privileges;

/// The kernel features that are used. Landlock must be able to keep signals inside (its version 6, Linux 6.12):
/// otherwise a program could stop every process of its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// True for user, network, IPC and mount namespaces. Without them the filter of system calls
    /// refuses sockets and IPC.
    namespaces: bool,
}

/// The newest Landlock version used.
const KNOWN: ABI = ABI::V6;
/// Devices that a program may write to beside its folder.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

impl Kernel {
    /// All combinations, the best first.
    pub(super) fn all() -> Vec<Self> {
        [true, false].map(|namespaces| Self { namespaces }).to_vec()
    }

    pub(super) fn name(self) -> &'static str {
        if self.namespaces { "Landlock and namespaces" } else { "Landlock" }
    }

    /// Returns true if it has namespaces.
    pub(super) fn has_namespaces(self) -> bool {
        self.namespaces
    }

    /// Builds the work of the child before `exec`. A program that `connects` may connect to sockets.
    pub(super) fn enter(
        self,
        scratch: &Path,
        connects: bool,
    ) -> io::Result<Box<dyn FnMut() -> io::Result<()> + Send + Sync>> {
        let mut rules = Some(rules(scratch).map_err(other)?);
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        // User and group ids are mapped to themselves.
        let users = format!("{0} {0} 1", user.as_raw());
        let groups = format!("{0} {0} 1", group.as_raw());
        let read_only = ReadOnly::but(scratch)?;
        let namespaces = self.namespaces;
        let filter = filter::build(Surroundings {
            own_network: namespaces,
            own_ipc: namespaces,
            own_processes: false,
            connects,
        })?;
        let filter = filter.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported))?;
        Ok(Box::new(move || {
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

/// Rules: everything may be read and executed, the scratch folder written; no signal and no connection to an
/// abstract socket leaves the sandbox.
fn rules(scratch: &Path) -> Result<RulesetCreated, landlock::RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    let write = AccessFs::from_all(KNOWN);
    ruleset
        .set_compatibility(CompatLevel::BestEffort)
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(KNOWN)))?
        .add_rules(path_beneath_rules([scratch], write))?
        .add_rules(path_beneath_rules(DEVICES, write))
}
