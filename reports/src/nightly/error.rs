//! Errors in the nightly configuration files.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// An error in the configuration or in the accepted findings, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file cannot be written; the error names it.
    #[error("{0}")]
    Named(std::io::Error),
    /// The content is invalid.
    #[error("{}: {why}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The error, its position, and a remedy.
        why: String,
    },
}

impl FileError {
    /// Creates the error for a `path` that cannot be read or written.
    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }

    /// Creates the error for a `path` whose content is invalid.
    pub(super) fn wrong(path: &Path, why: String) -> Self {
        Self::Wrong { path: path.into(), why }
    }
}

/// Reads a configuration.
///
/// # Errors
///
/// Returns one line: the file, the line, and the error.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    let text = std::fs::read_to_string(path).map_err(|error| FileError::io(path, error))?;
    toml::from_str(&text).map_err(|error| FileError::wrong(path, in_line(&text, &error)))
}

/// Formats a TOML error in one line.
pub(super) fn in_line(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count());
    let message = error.message().replace('\n', " ");
    line.map_or_else(|| message.clone(), |line| format!("line {}: {message}", line + 1))
}
