//! What is wrong with a file that a night is told by.

use std::path::{Path, PathBuf};

/// What is wrong with the configuration, or with what is accepted, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It does not say what it should.
    #[error("{}: {why}", path.display())]
    Wrong {
        /// Which file.
        path: PathBuf,
        /// What, where, and what to do.
        why: String,
    },
}

impl FileError {
    /// `path` cannot be read or written.
    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }

    /// `path` says something else than it should.
    pub(super) fn wrong(path: &Path, why: String) -> Self {
        Self::Wrong { path: path.into(), why }
    }
}

/// An error of TOML in one line.
pub(super) fn in_line(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count());
    let message = error.message().replace('\n', " ");
    line.map_or_else(|| message.clone(), |line| format!("line {}: {message}", line + 1))
}
