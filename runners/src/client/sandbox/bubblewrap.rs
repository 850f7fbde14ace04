//! Runs a program inside bubblewrap.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::client::executable;

/// An installed bubblewrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bubblewrap {
    program: PathBuf,
}

/// Options: new namespaces without privileges, read-only folders, and harmless devices.
const OPTIONS: &[&str] = &[
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    // Shared memory takes up space, too.
    "--size",
    "268435456",
    "--tmpfs",
    "/dev/shm",
    "--proc",
    "/proc",
];

impl Bubblewrap {
    pub(super) fn find() -> Option<Self> {
        executable::find("bwrap").map(|program| Self { program })
    }

    pub(super) fn around(&self, scratch: &Path, argv: &[OsString]) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(OPTIONS.iter().map(OsString::from));
        words.extend(["--bind".into(), scratch.into(), scratch.into()]);
        words.extend(["--chdir".into(), scratch.into(), "--".into()]);
        words.extend_from_slice(argv);
        words
    }
}
