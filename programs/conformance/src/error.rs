//! Errors, which are one-line messages for people.

use std::path::PathBuf;

use thiserror::Error;

/// The reasons why an automaton cannot be read, inferred or compared.
#[derive(Debug, Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason that the operating system gave.
        why: std::io::Error,
    },
    /// The text of a file is not in its format.
    #[error("{file}:{line}: {why}")]
    Text {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The reason.
        why: String,
    },
    /// An automaton has more states than allowed.
    #[error("more than {limit} states are needed for {subject}")]
    TooLarge {
        /// The automaton, or the step of the check.
        subject: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A program has no automaton.
    #[error("{0}")]
    Program(String),
}

impl Error {
    /// An error at a line of a text.
    pub fn text(file: &str, line: usize, why: impl Into<String>) -> Self {
        Self::Text { file: file.to_owned(), line, why: why.into() }
    }
}
