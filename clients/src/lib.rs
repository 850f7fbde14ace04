//! Clients: programs and libraries that read the format under test.
//!
//! A client is either a program, run as its [`Description`] says (see [`program`]), or a linked-in library (see
//! [`library`]). The [`Catalogue`] lists all of them and determines which ones work on this machine. A [`contract`]
//! determines the expected pictures of a client.
//!
//! # Invariants
//!
//! - A client's files are accessed only through `process::folder`, which follows no links and waits for nothing.
//! - Everything that a client does is a result: [`Client::run`] fails only for problems on the side of repfuzz.
//! - A client's output is sanitized before it is shown.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod catalogue;
pub mod catalogue_entry;
pub mod contract;
pub mod description;
pub mod digest;
mod edges;
mod executable;
pub mod extra;
mod glue;
pub mod library;
pub mod message;
pub mod output;
pub mod probe;
mod process;
pub mod program;
pub mod sandbox;
mod selection;
mod spent;
pub mod tools;
mod unusable;

use tiff_harness::Picture;
use tiff_harness::dimension::of_page;

use crate::contract::Contract;

pub use catalogue::{Catalogue, CatalogueError};
pub use catalogue_entry::{Availability, CatalogueEntry, Origin};
pub use description::{
    Decoder, Description, DescriptionError, Facts, Framework, Ignored, Info, Kind, ProgramFiles,
    Script, TestCode, Unsupported,
};
pub use edges::Edges;
pub use extra::{ExtraDifference, ExtraRead};
pub use glue::GlueFailure;
pub use process::evict;
pub use program::CommandClient;
pub use sandbox::{Guarantee, Hold, Sandbox, hide};
pub use selection::{ClientFailure, Selection, Selections};
pub use spent::Spent;
pub use unusable::UnusableClient;

/// A client's reply to one file.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It produced a picture.
    Picture(Picture),
    /// It reported an error.
    Refused {
        /// The client's message, truncated to a reasonable length, with control characters removed.
        message: String,
    },
    /// It made a picture without pixels, and reported no error.
    Empty {
        /// The size, such as `0x0 pixels`, with the client's message.
        message: String,
    },
    /// It died of a signal or panicked.
    Crash {
        /// The signal, such as `SIGSEGV`, or the panic's message.
        message: String,
    },
    /// It exceeded its time limit.
    Hang,
    /// It exceeded its memory, disk or output limit.
    Resource {
        /// The limit.
        message: String,
    },
}

/// The kind of process that reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// A process that may have read other files: [`Client::run`].
    Any,
    /// A process that has not read any file before: [`Client::run_fresh`].
    Fresh,
}

/// A reply, and the measurements of the run that gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The reply.
    pub reply: Reply,
    /// The duration of the run, if the client measures it. For a remote client, the time until its reply includes time
    /// spent waiting.
    pub took: Option<std::time::Duration>,
    /// The processor time and the memory that the run took, if they are measured.
    pub spent: Option<Spent>,
    /// The first of its extra reads that is wrong; `None` if there is none, or if it does no extra reads.
    pub extra: Option<ExtraDifference>,
    /// The edges that the run reached; `None` if the client published none.
    pub edges: Option<Edges>,
    /// The worker of a fleet that ran it; `None` if it ran here.
    pub worker: Option<std::sync::Arc<str>>,
}

impl From<Reply> for Observed {
    fn from(reply: Reply) -> Self {
        Self { reply, took: None, spent: None, extra: None, edges: None, worker: None }
    }
}

/// Returns true if `dimension` is among those that a client `ignores`, on any page: a client that ignores `orientation`
/// also ignores `page 2: orientation`.
pub fn is_ignored(ignores: &[String], dimension: &str) -> bool {
    let (_, on_its_page) = of_page(dimension);
    ignores.iter().any(|ignored| ignored == dimension || ignored == on_its_page)
}

/// A client, ready to be run. `run` may be called from several threads at once.
pub trait Client: Send + Sync {
    /// The name it is selected by: `tiff2rgba`.
    fn name(&self) -> &str;
    /// The version that it reports; empty if it reports none.
    fn version(&self) -> &str;
    /// The reason why the version is unknown, although there is a command that should report it.
    fn version_unknown(&self) -> Option<&str> {
        None
    }
    /// A short description; empty if there is none.
    fn summary(&self) -> &str {
        ""
    }
    /// The equivalent command line for a person, with `{in}` for the file; `None` for a client
    /// that runs inside this process.
    fn command(&self) -> Option<String> {
        None
    }
    /// The digests of the files of its program, which are part of its identity. Empty for a client that runs inside
    /// this process. The first call reads the files.
    fn program_files(&self) -> ProgramFiles {
        ProgramFiles::default()
    }
    /// The file name extensions of the formats that it reads; `None` if it should read any file.
    fn formats(&self) -> Option<Vec<String>> {
        None
    }
    /// Returns this client for files whose names have this extension; `None` if file names do not matter to it.
    fn with_extension(&self, extension: &str) -> Option<std::sync::Arc<dyn Client>> {
        let _ = extension;
        None
    }
    /// The features that it applies by itself, for the report.
    fn applies(&self) -> &[String] {
        &[]
    }
    /// The dimensions that it ignores by design, which are not varied for this client ([`is_ignored`]).
    fn ignores(&self) -> &[String] {
        &[]
    }
    /// The conventions of its output on TIFF files; `None` if nothing is known about them, or if it is a viewer.
    fn contract(&self) -> Option<&Contract> {
        None
    }
    /// The facts that reports show to its maintainer.
    fn facts(&self) -> Facts {
        Facts::default()
    }
    /// Reads `file` with the client.
    ///
    /// # Errors
    ///
    /// Only for failures on the side of repfuzz, never for anything that the client does: a scratch folder that cannot
    /// be made, a program that cannot be started, a [`GlueFailure`]. After a [`GlueFailure`], other files can still be
    /// read.
    fn run(&self, file: &[u8]) -> std::io::Result<Reply>;
    /// Reads `file` in a fresh process, because a process that has read other files may hide a difference, or cause
    /// one. Equals [`Client::run`] if every process is fresh.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    fn run_fresh(&self, file: &[u8]) -> std::io::Result<Reply> {
        self.run(file)
    }
    /// Reads `file` in a fresh process, with this many `times` the usual time limit.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    fn run_patiently(&self, file: &[u8], times: u32) -> std::io::Result<Reply> {
        let _ = times;
        self.run_fresh(file)
    }
    /// Reads `file` as [`Client::run`] or [`Client::run_fresh`] does, and also returns the measurements of the run.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    fn observe(&self, file: &[u8], process: Process) -> std::io::Result<Observed> {
        match process {
            Process::Any => self.run(file),
            Process::Fresh => self.run_fresh(file),
        }
        .map(Observed::from)
    }
    /// Returns true if it publishes the edges of its own code that its runs reach.
    fn publishes_edges(&self) -> bool {
        false
    }
    /// Returns the places of `edges` in the client's source, each once; empty if they are unknown.
    fn places(&self, edges: &[usize]) -> Vec<String> {
        let _ = edges;
        Vec::new()
    }
    /// Returns true if it mostly waits, so that more runs than there are processors can be in progress.
    fn waits(&self) -> bool {
        false
    }
    /// The name of the sandbox, such as `bubblewrap`; `None` for a client that runs inside this
    /// process.
    fn confinement(&self) -> Option<&str> {
        None
    }
}

/// Implements [`Client`] for shared and borrowed clients by delegation.
macro_rules! delegated {
    ($($kind:ty),*) => {$(
        impl<C: Client + ?Sized> Client for $kind {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn version(&self) -> &str {
                (**self).version()
            }

            fn version_unknown(&self) -> Option<&str> {
                (**self).version_unknown()
            }

            fn summary(&self) -> &str {
                (**self).summary()
            }

            fn command(&self) -> Option<String> {
                (**self).command()
            }

            fn program_files(&self) -> ProgramFiles {
                (**self).program_files()
            }

            fn formats(&self) -> Option<Vec<String>> {
                (**self).formats()
            }

            fn with_extension(&self, extension: &str) -> Option<std::sync::Arc<dyn Client>> {
                (**self).with_extension(extension)
            }

            fn applies(&self) -> &[String] {
                (**self).applies()
            }

            fn ignores(&self) -> &[String] {
                (**self).ignores()
            }

            fn contract(&self) -> Option<&Contract> {
                (**self).contract()
            }

            fn facts(&self) -> Facts {
                (**self).facts()
            }

            fn run(&self, file: &[u8]) -> std::io::Result<Reply> {
                (**self).run(file)
            }

            fn run_fresh(&self, file: &[u8]) -> std::io::Result<Reply> {
                (**self).run_fresh(file)
            }

            fn run_patiently(&self, file: &[u8], times: u32) -> std::io::Result<Reply> {
                (**self).run_patiently(file, times)
            }

            fn observe(&self, file: &[u8], process: Process) -> std::io::Result<Observed> {
                (**self).observe(file, process)
            }

            fn publishes_edges(&self) -> bool {
                (**self).publishes_edges()
            }

            fn places(&self, edges: &[usize]) -> Vec<String> {
                (**self).places(edges)
            }

            fn waits(&self) -> bool {
                (**self).waits()
            }

            fn confinement(&self) -> Option<&str> {
                (**self).confinement()
            }
        }
    )*};
}

delegated!(std::sync::Arc<C>, &C);
