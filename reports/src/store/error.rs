//! Errors of stores.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// An error of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An error of the database.
    #[error("{}", words(.0))]
    Sql(#[from] rusqlite::Error),
    /// The store contains something invalid.
    #[error("damaged: {0}; restore it from a copy, or delete it to start anew")]
    Damaged(String),
    /// The file has no content.
    #[error("the file is empty: restore it from a copy, or delete it to start anew")]
    Empty,
    /// The store was written by a later version of repfuzz.
    #[error(
        "its format is {version}, newer than {known}, the newest that this repfuzz supports; \
         use the repfuzz that wrote it, or name another store"
    )]
    Newer {
        /// Its version.
        version: usize,
        /// The newest supported version.
        known: usize,
    },
    /// The file is not a store.
    #[error("this file is not a repfuzz store; name another one")]
    Foreign,
    /// Another process works on the store.
    #[error("in use by another repfuzz; wait until it has ended, or name another store")]
    Busy,
    /// An error of the file system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// An error of a particular store.
    #[error("{}: {error}", path.display())]
    At {
        /// The store's file.
        path: PathBuf,
        /// The error.
        error: Box<StoreError>,
    },
}

impl StoreError {
    /// Returns true if another process works on the store.
    pub fn is_busy(&self) -> bool {
        match self {
            StoreError::Busy => true,
            StoreError::At { error, .. } => error.is_busy(),
            _ => false,
        }
    }
}

fn words(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "the disk is full; make room and run the same command again: nothing is lost".into()
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            format!("damaged: {error}; restore it from a copy, or delete it to start anew")
        }
        Some(ErrorCode::NotADatabase) => StoreError::Foreign.to_string(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("{error}; it must be a writable file")
        }
        Some(ErrorCode::SystemIoFailure) => {
            format!("{error}; check the disk and run the same command again: nothing is lost")
        }
        _ => error.to_string(),
    }
}
