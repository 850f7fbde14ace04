//! The environment of a program, and the changes to its start that confine it.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::process::Namespaces;

/// The files that a program needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The path of the folder to which the program may write.
    pub scratch: &'a Path,
    /// A handle on that folder.
    pub folder: &'a File,
    /// The namespaces in which the path leads to that folder; `None` if it does so everywhere.
    pub inside: Option<&'a Namespaces>,
    /// The folders of its own files, which it reads.
    pub own: &'a [&'a Path],
    /// The values of variables that its description sets, which may name its own files.
    pub values: &'a [OsString],
    /// True if it connects to its own sockets.
    pub sockets: bool,
    /// The socket of its display, if it shows windows.
    pub display: Option<&'a Path>,
    /// The maximum memory in bytes that all its processes may use together; `None` for no limit.
    pub memory: Option<u64>,
}

impl Place<'_> {
    /// Returns true if the program must be able to connect to sockets in the file system.
    pub(super) fn connects(&self) -> bool {
        self.sockets || self.display.is_some()
    }
}

/// The changes that a sandbox requires to start a program.
pub(crate) struct Confined {
    /// The command line to run instead of the program's own.
    pub argv: Vec<OsString>,
    /// The work of the child between fork and exec. It makes plain system calls, and neither
    /// allocates nor locks.
    pub enter: Option<Box<dyn FnMut() -> io::Result<()> + Send + Sync>>,
    /// True if that work needs a process with its own memory.
    pub forks: bool,
}
