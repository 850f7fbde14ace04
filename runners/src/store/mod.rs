//! Runs that outlive their process: an SQLite file of what was run and what came of it.
//!
//! A [`Batch`] is what a user asked for at once; a [`StoredRun`] is one seed of it. While it
//! goes on, its [`Recorder`] keeps every reply of every client, so that a run that was killed
//! goes the same way again without asking anew. What it found in the end is kept as a whole,
//! for reports, and by causes, of which [buckets](Bucket) are made. `docs/store.md` has the
//! tables.

mod batch;
mod bucket;
mod busy;
mod clients;
mod entry;
mod finished;
mod merge;
mod pictures;
mod recheck;
mod recorder;
mod schema;
mod stored_run;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

pub use batch::{Batch, BatchKind};
pub use bucket::{Bucket, BucketKey, BucketKind, Example, Scope, Sighting};
pub use clients::ClientId;
pub use finished::Whole;
pub use recorder::Recorder;
pub use stored_run::{Begin, Begun, StoredRun};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says so.
    #[error("{}", words(.0))]
    Sql(#[from] rusqlite::Error),
    /// Something is in it that cannot be.
    #[error("damaged: {0}; it cannot be used")]
    Damaged(String),
    /// It was written by a later version of repfuzz.
    #[error(
        "its format is {version}, newer than {known}, which this repfuzz knows; \
         use the repfuzz that wrote it, or name another store"
    )]
    Newer {
        /// Its version.
        version: usize,
        /// The newest that is known.
        known: usize,
    },
    /// It is no store at all.
    #[error("a file of something else, no store of repfuzz; name another one")]
    Foreign,
    /// Another process works on it.
    #[error("in use by another repfuzz; wait until that has ended, or name another store")]
    Busy,
    /// The file system says so.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Which store, and what.
    #[error("{}: {error}", path.display())]
    At {
        /// The store's file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<StoreError>,
    },
}

fn words(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "the disk is full; make room and run the same command again: nothing is lost".into()
        }
        Some(ErrorCode::NotADatabase) => StoreError::Foreign.to_string(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("{error}; it must be a file that can be written")
        }
        Some(ErrorCode::SystemIoFailure) => {
            format!("{error}; see to the disk and run the same command again: nothing is lost")
        }
        _ => error.to_string(),
    }
}

/// A store. Threads may share it.
#[derive(Debug, Clone)]
pub struct Store {
    conn: Arc<Mutex<Connection>>,
    path: PathBuf,
}

impl Store {
    /// The store in this file, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is no store, is too new, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, OpenFlags::default())
    }

    /// The store in this file, which must be there.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn existing(path: &Path) -> Result<Self, StoreError> {
        std::fs::metadata(path)
            .map_err(|e| StoreError::At { path: path.into(), error: Box::new(e.into()) })?;
        Self::open_with(path, OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE)
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let conn = connect(path, flags)
            .map_err(|error| StoreError::At { path: path.into(), error: Box::new(error) })?;
        Ok(Self { conn: Arc::new(Mutex::new(conn)), path: path.into() })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `work` on the tables, with the store's name in what goes wrong.
    fn with<R>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        work(&mut self.lock()).map_err(|error| self.about(error))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        locked(&self.conn)
    }

    fn about(&self, error: StoreError) -> StoreError {
        match error {
            at @ StoreError::At { .. } => at,
            error => StoreError::At { path: self.path.clone(), error: Box::new(error) },
        }
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let mut conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(PATIENCE)?;
    // Whether it is ours comes before any change.
    schema::migrate(&mut conn)?;
    // A write-ahead log with `NORMAL`: what is committed is with the operating system, so it
    // outlives `kill -9`, and costs no wait for the disk. Without power the last replies may
    // be gone, which are then asked for again, but the store is whole.
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    Ok(conn)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Now, as text: such texts sort by time.
fn now() -> String {
    humantime::format_rfc3339_millis(std::time::SystemTime::now()).to_string()
}

/// JSON of what always is.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The word that a value of few is written as.
fn word<T: serde::Serialize>(value: &T) -> String {
    json(value).trim_matches('"').to_owned()
}

/// JSON that is in the store.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}
