//! The program inside bubblewrap.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::client::path;

/// bubblewrap, where it is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bubblewrap {
    program: PathBuf,
}

/// Namespaces of its own, no rights in them, all folders to be read only, and devices that do
/// no harm.
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
    // Shared memory is a disk, too.
    "--size",
    "268435456",
    "--tmpfs",
    "/dev/shm",
    "--proc",
    "/proc",
];

impl Bubblewrap {
    pub(super) fn find() -> Option<Self> {
        path::find("bwrap").map(|program| Self { program })
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
