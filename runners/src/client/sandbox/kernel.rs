//! Sandboxing by the kernel alone, without privileges: Landlock and namespaces.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, path_beneath_rules,
};
use rustix::thread::UnshareFlags;

/// The kernel features that are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// True if a user and a network namespace block every network. Landlock always blocks writing
    /// to other folders, and TCP if the kernel supports it.
    namespaces: bool,
}

/// The newest Landlock version used; older kernels do what they can.
const KNOWN: ABI = ABI::V5;
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

    /// Builds the work of the child before `exec`.
    pub(super) fn enter(
        self,
        scratch: &Path,
    ) -> io::Result<Box<dyn FnMut() -> io::Result<()> + Send + Sync>> {
        let mut rules = Some(rules(scratch).map_err(other)?);
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        // User and group ids are mapped to themselves.
        let users = format!("{0} {0} 1", user.as_raw());
        let groups = format!("{0} {0} 1", group.as_raw());
        let namespaces = self.namespaces;
        Ok(Box::new(move || {
            if namespaces {
                let flags = UnshareFlags::NEWUSER | UnshareFlags::NEWNET | UnshareFlags::NEWIPC;
                // SAFETY: the process has a single thread, between fork and exec, and no file
                // descriptor table is unshared.
                #[allow(unsafe_code)]
                unsafe { rustix::thread::unshare_unsafe(flags) }?;
                put("/proc/self/setgroups", b"deny")?;
                put("/proc/self/gid_map", groups.as_bytes())?;
                put("/proc/self/uid_map", users.as_bytes())?;
            }
            match rules.take() {
                Some(rules) => rules
                    .restrict_self()
                    .map(|_| ())
                    .map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied)),
                None => Ok(()),
            }
        }))
    }
}

fn put(file: &str, text: &[u8]) -> io::Result<()> {
    File::options().write(true).open(file)?.write_all(text)
}

fn other(error: landlock::RulesetError) -> io::Error {
    io::Error::other(error.to_string())
}

/// Rules: everything may be read and executed, the scratch folder written.
fn rules(scratch: &Path) -> Result<RulesetCreated, landlock::RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .create()?;
    let write = AccessFs::from_all(KNOWN);
    ruleset
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(KNOWN)))?
        .add_rules(path_beneath_rules([scratch], write))?
        .add_rules(path_beneath_rules(DEVICES, write))
}
