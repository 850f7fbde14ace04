//! The kinds of sandboxes, and how each starts a program.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::bubblewrap::Bubblewrap;
use super::kernel::Kernel;
use crate::client::executable;

/// A sandbox that keeps a program from the network and from writing outside its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// bubblewrap.
    Bubblewrap(Bubblewrap),
    /// Kernel features without bubblewrap.
    Kernel(Kernel),
    /// No sandbox.
    Off,
}

/// The name for no sandbox.
pub const LIMITS_ONLY: &str = "limits only";

/// The changes that a sandbox requires to start a program.
pub(in crate::client) struct Confined {
    /// The command line to run instead of the program's own.
    pub argv: Vec<OsString>,
    /// The work of the child between fork and exec. It makes plain system calls, and neither
    /// allocates nor locks.
    pub enter: Option<Box<dyn FnMut() -> io::Result<()> + Send + Sync>>,
}

impl Sandbox {
    /// Returns no sandbox, at the user's request.
    pub fn off() -> Arc<Self> {
        Arc::new(Self::Off)
    }

    /// A short name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bubblewrap(_) => "bubblewrap",
            Self::Kernel(kernel) => kernel.name(),
            Self::Off => LIMITS_ONLY,
        }
    }

    /// Computes how to start the program `argv` in the folder `scratch`.
    pub(in crate::client) fn confine(
        &self,
        scratch: &Path,
        argv: &[OsString],
    ) -> io::Result<Confined> {
        match self {
            Self::Bubblewrap(bubblewrap) => {
                // Otherwise bubblewrap would report the error as if it were the program's.
                if argv[0].to_str().is_some_and(|program| !executable::exists(program)) {
                    return Err(io::Error::from(io::ErrorKind::NotFound));
                }
                Ok(Confined { argv: bubblewrap.around(scratch, argv), enter: None })
            }
            Self::Kernel(kernel) => {
                Ok(Confined { argv: argv.to_vec(), enter: Some(kernel.enter(scratch)?) })
            }
            Self::Off => Ok(Confined { argv: argv.to_vec(), enter: None }),
        }
    }
}
