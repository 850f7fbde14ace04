//! The kinds of sandboxes, and how each starts a program.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use super::bubblewrap::{self, Bubblewrap};
use super::confined::{Confined, Place};
use super::kernel::Kernel;
use crate::executable;

/// A sandbox that denies a program the network and writes outside its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// bubblewrap.
    Bubblewrap(Bubblewrap),
    /// Kernel features without bubblewrap.
    Kernel(Kernel),
    /// No sandbox.
    Off,
}

/// The suffix of the names of sandboxes that are used because an installed bubblewrap failed.
pub const FALLBACK: &str = ", as bubblewrap failed";

/// Separates the names of the sandboxes that one client has on several machines.
pub const OR: &str = " or ";

/// The name for no sandbox.
pub const LIMITS_ONLY: &str = "limits only";

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

    /// Returns true if scratch folders are in-memory file systems, as large as their limit.
    pub(crate) fn is_in_memory(&self) -> bool {
        match self {
            Self::Bubblewrap(bubblewrap) => bubblewrap.is_in_memory(),
            Self::Kernel(kernel) => kernel.is_in_memory(),
            Self::Off => false,
        }
    }

    /// Returns a hint for a program that fails with this output, if it names a file that the sandbox hides.
    pub(crate) fn hint(&self, message: &str) -> Option<String> {
        let Self::Bubblewrap(_) = self else { return None };
        let folder = bubblewrap::hidden_in(message)?;
        Some(format!(
            "the sandbox hides {folder} but for what the client's command names: move it elsewhere, or name the folder \
             in a variable of its description"
        ))
    }

    /// Computes how to start the program `argv` at this place.
    pub(crate) fn confine(&self, place: &Place<'_>, argv: &[OsString]) -> io::Result<Confined> {
        match self {
            Self::Bubblewrap(bubblewrap) => {
                // Otherwise bubblewrap would report the error as if it were the program's.
                if argv[0].to_str().is_some_and(|program| !executable::exists(program)) {
                    return Err(io::Error::from(io::ErrorKind::NotFound));
                }
                bubblewrap.around(place, argv)
            }
            Self::Kernel(kernel) => {
                let enter = kernel.enter(place)?;
                Ok(Confined { argv: argv.to_vec(), enter: Some(enter), forks: true })
            }
            Self::Off => Ok(Confined { argv: argv.to_vec(), enter: None, forks: false }),
        }
    }
}
