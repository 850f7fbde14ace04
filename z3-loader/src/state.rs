//! The library that was loaded, or the reason why there is none.

use std::path::PathBuf;
use std::sync::OnceLock;

/// The environment variable for the path of libz3. If it is set, no other is looked for.
pub const VARIABLE: &str = "Z3_LIBRARY";

/// The library that is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Its path, or its name if the system's loader found it. Empty if it is linked.
    pub file: PathBuf,
    /// Its version: `4.8.12.0`.
    pub version: String,
}

/// The reason why there is no Z3, as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this needs Z3, and {0}")]
pub struct Unavailable(pub(crate) String);

/// The result of the search, once it was tried.
pub(crate) static LOADED: OnceLock<Result<Loaded, Unavailable>> = OnceLock::new();
