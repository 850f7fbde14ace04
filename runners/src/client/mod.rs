//! Clients: programs and libraries that read the format under test.
//!
//! A client is either a program, driven as its [`Description`] says (see [`program`]), or a
//! library that is linked in (see [`library`]). The [`Catalogue`] knows all of them and finds
//! out which can be used on this machine.

pub mod catalogue;
pub mod description;
pub mod entry;
pub mod library;
pub mod message;
pub mod output;
mod path;
pub mod probe;
mod process;
pub mod program;
pub mod sandbox;
pub mod tools;

use tiff_harness::Picture;

pub use catalogue::{Catalogue, CatalogueError};
pub use description::{Decoder, Description, DescriptionError, Ignored, Info, Kind};
pub use entry::{Entry, Origin, State};
pub use program::CommandClient;
pub use sandbox::Sandbox;

/// What a client did with one file.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It made a picture.
    Picture(Picture),
    /// It reported an error: its own words.
    Refused {
        /// The client's message, cut to a sane length, control characters removed.
        message: String,
    },
    /// It died of a signal or panicked.
    Crash {
        /// What happened: `SIGSEGV`, or the panic's message.
        message: String,
    },
    /// It did not end within its time limit.
    Hang,
    /// It ran into its memory, disk or output limit.
    Resource {
        /// Which limit.
        message: String,
    },
}

/// A client, ready to be run. `run` may be called from several threads at once.
pub trait Client: Send + Sync {
    /// The name it is selected by: `tiff2rgba`.
    fn name(&self) -> &str;
    /// What it says its version is; empty if it does not say.
    fn version(&self) -> &str;
    /// What it is, in a few words; empty if nothing is known.
    fn summary(&self) -> &str {
        ""
    }
    /// The command line a person would type, with `{in}` for the file; `None` for a client
    /// that runs inside this process.
    fn command(&self) -> Option<String> {
        None
    }
    /// What it applies to the picture by itself, for the report.
    fn applies(&self) -> &[String] {
        &[]
    }
    /// Dimensions that it ignores by design: not varied for this client.
    fn ignores(&self) -> &[String] {
        &[]
    }
    /// Reads `file` with the client.
    ///
    /// # Errors
    ///
    /// Only for trouble on our side (a scratch folder that cannot be made, a program that
    /// cannot be started): never for anything that the client does.
    fn run(&self, file: &[u8]) -> std::io::Result<Reply>;
    /// Reads `file` in a process that has read nothing before, for one that has may hide a
    /// difference, or make one. The same as [`Client::run`] where that always is so.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    fn run_fresh(&self, file: &[u8]) -> std::io::Result<Reply> {
        self.run(file)
    }
    /// What holds the client beside its limits, in a few words: `bubblewrap`; `None` for one
    /// that runs inside this process.
    fn confinement(&self) -> Option<&str> {
        None
    }
}

/// Shared and borrowed clients do what the client does.
macro_rules! delegated {
    ($($kind:ty),*) => {$(
        impl<C: Client + ?Sized> Client for $kind {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn version(&self) -> &str {
                (**self).version()
            }

            fn summary(&self) -> &str {
                (**self).summary()
            }

            fn command(&self) -> Option<String> {
                (**self).command()
            }

            fn applies(&self) -> &[String] {
                (**self).applies()
            }

            fn ignores(&self) -> &[String] {
                (**self).ignores()
            }

            fn run(&self, file: &[u8]) -> std::io::Result<Reply> {
                (**self).run(file)
            }

            fn run_fresh(&self, file: &[u8]) -> std::io::Result<Reply> {
                (**self).run_fresh(file)
            }

            fn confinement(&self) -> Option<&str> {
                (**self).confinement()
            }
        }
    )*};
}

delegated!(std::sync::Arc<C>, &C);
