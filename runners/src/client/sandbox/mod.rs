//! What is around a program beside its limits: no network, and no folder that it can write to
//! but its own.
//!
//! bubblewrap, where it is installed and may make namespaces, gives the program a process
//! namespace too: nothing that it starts outlives it. Where there is no bubblewrap, repfuzz
//! asks the kernel itself: Landlock for files and TCP, a user and a network namespace, as far
//! as it may.

mod bubblewrap;
mod kernel;
mod probe;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::path;

pub use bubblewrap::Bubblewrap;
pub use kernel::Kernel;

/// What keeps a program from the network and from every folder but its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// bubblewrap.
    Bubblewrap(Bubblewrap),
    /// What the kernel gives without it.
    Kernel(Kernel),
    /// Nothing.
    Off,
}

/// The name of no sandbox.
pub const LIMITS_ONLY: &str = "limits only";

/// What has to be done for a sandbox when a program is started.
pub(super) struct Walls {
    /// The words to start in place of the program's own.
    pub argv: Vec<OsString>,
    /// What the process does between fork and exec. It makes bare system calls, and neither
    /// allocates nor locks.
    pub enter: Option<Box<dyn FnMut() -> io::Result<()> + Send + Sync>>,
}

impl Sandbox {
    /// The best that works here: tried out the first time.
    pub fn best() -> Arc<Self> {
        static BEST: OnceLock<Arc<Sandbox>> = OnceLock::new();
        let find = || Self::ways().into_iter().find(probe::holds).unwrap_or(Self::Off);
        BEST.get_or_init(|| Arc::new(find())).clone()
    }

    /// All that work here, tried out, the best first.
    pub fn all() -> Vec<Arc<Self>> {
        Self::ways().into_iter().filter(probe::holds).map(Arc::new).collect()
    }

    /// No sandbox, as the user wants it.
    pub fn off() -> Arc<Self> {
        Arc::new(Self::Off)
    }

    fn ways() -> Vec<Self> {
        let bubblewrap = Bubblewrap::find().map(Self::Bubblewrap);
        bubblewrap.into_iter().chain(Kernel::all().into_iter().map(Self::Kernel)).collect()
    }

    /// Its name, in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bubblewrap(_) => "bubblewrap",
            Self::Kernel(kernel) => kernel.name(),
            Self::Off => LIMITS_ONLY,
        }
    }

    /// What it takes to start the program `argv` in the folder `scratch`.
    pub(super) fn walls(&self, scratch: &Path, argv: &[OsString]) -> io::Result<Walls> {
        match self {
            Self::Bubblewrap(bubblewrap) => {
                // bubblewrap would fail in the program's name.
                if argv[0].to_str().is_some_and(|program| !path::is_program(program)) {
                    return Err(io::Error::from(io::ErrorKind::NotFound));
                }
                Ok(Walls { argv: bubblewrap.around(scratch, argv), enter: None })
            }
            Self::Kernel(kernel) => {
                Ok(Walls { argv: argv.to_vec(), enter: Some(kernel.enter(scratch)?) })
            }
            Self::Off => Ok(Walls { argv: argv.to_vec(), enter: None }),
        }
    }
}
