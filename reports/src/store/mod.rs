//! Persistent runs: an SQLite file of replies, results and causes.
//!
//! A [`Batch`] is one invocation by a user; a [`StoredRun`] is one seed of it. While it is in progress, its
//! [`Recorder`] stores every client's reply, so an interrupted run repeats its course without running a client twice.
//! Its final result is stored as a whole for reports, and by causes, which are grouped into [buckets](Bucket).
//! `docs/store.md` describes the tables.

mod batch;
mod bucket;
mod busy;
mod client_record;
mod costs;
mod division;
mod error;
mod file;
mod finished;
mod journal_rows;
mod kept;
mod lock;
mod merge;
mod past;
mod pictures;
mod programs;
mod read_only;
mod recheck;
mod recorder;
mod schema;
mod seal;
mod stored_run;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

pub use batch::{Batch, BatchKind, Start};
pub use bucket::{Bucket, BucketKey, BucketKind, Example, Form, Scope, Sighting};
pub use busy::{hide, wait as wait_while_busy};
pub use client_record::ClientRecord;
pub use division::MissingParts;
pub use error::StoreError;
pub use finished::JoinedRun;
pub use past::{EarlierFile, Sought};
pub use recheck::LastRecheck;
pub use recorder::Recorder;
pub use stored_run::{RunRequest, RunState, StoredRun};

/// The last day of the year 9999.
const LAST_TIME: Duration = Duration::from_secs(253_402_214_400);

/// A store. It can be shared between threads.
#[derive(Debug, Clone)]
pub struct Store {
    conn: Arc<Mutex<Connection>>,
    path: PathBuf,
    /// The temporary copy that is read instead of the file.
    copy: Option<Arc<tempfile::TempDir>>,
}

impl Store {
    /// Opens the store in this file; creates it if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a store, is too new, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let at = |error| StoreError::At { path: path.into(), error: Box::new(error) };
        file::create(path).map_err(at)?;
        Self::open_with(path, OpenFlags::default())
    }

    /// Opens the store in this file, which must exist.
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
        let conn = file::check_length(path)
            .and_then(|()| connect(path, flags))
            .map_err(|error| StoreError::At { path: path.into(), error: Box::new(error) })?;
        Ok(Self { conn: Arc::new(Mutex::new(conn)), path: path.into(), copy: None })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is read: its own, or a copy of it.
    fn file(&self) -> PathBuf {
        match &self.copy {
            Some(folder) => folder.path().join("store.sqlite"),
            None => self.path.clone(),
        }
    }

    /// Runs `work` on the tables, and adds the store's name to errors.
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
    busy::wait(&conn, path)?;
    // Check that the file is a store before any change.
    schema::migrate(&mut conn)?;
    // With a write-ahead log and `NORMAL`, the operating system has all committed data, so it survives `kill -9`
    // without waiting for the disk. After a power failure the store is consistent, but the last replies may be missing;
    // they are then requested again.
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    busy::hide(path);
    Ok(conn)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the current time as text that sorts chronologically. If the clock was set back, returns a time just after
/// the latest one in the store, because otherwise tonight would not be the last night.
fn now(conn: &Connection) -> Result<String, StoreError> {
    let latest = "SELECT max(at) FROM (SELECT max(started) AS at FROM batch \
                  UNION ALL SELECT max(started) FROM run UNION ALL SELECT max(at) FROM recheck)";
    let latest: Option<String> = conn.query_row(latest, [], |row| row.get(0))?;
    let after = latest.and_then(|latest| humantime::parse_rfc3339(&latest).ok());
    let after = after.and_then(|latest| latest.checked_add(Duration::from_millis(1)));
    // A damaged store may have a time that cannot be formatted.
    let written = |after: &std::time::SystemTime| {
        after.duration_since(std::time::UNIX_EPOCH).is_ok_and(|since| since < LAST_TIME)
    };
    let after = after.filter(written);
    let now = std::time::SystemTime::now();
    Ok(humantime::format_rfc3339_millis(after.map_or(now, |after| now.max(after))).to_string())
}

/// Serializes a value for which this cannot fail.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns the word as which a variant of an enum is stored.
fn word<T: serde::Serialize>(value: &T) -> String {
    json(value).trim_matches('"').to_owned()
}

/// Parses JSON from the store.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_night_is_the_last_one_though_the_clock_was_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("s.sqlite")).unwrap();
        let begin = |key: &str| {
            store.begin(BatchKind::Nightly, &serde_json::json!(key), Start::Resume).unwrap()
        };
        let close = |batch: Batch, coverage: u32| {
            let summary = crate::report::NightSummary::default();
            batch.close_nights(&summary, &coverage.into(), &coverage.into()).unwrap();
        };
        for (night, started) in
            ["2999-01-01T00:00:00.999Z", "9999-12-31T23:59:59.999Z", ""].into_iter().enumerate()
        {
            let batch = begin(&format!("night {night}"));
            let id = batch.id;
            close(batch, night as u32);
            if night < 2 {
                assert_eq!(store.last_coverage().unwrap(), Some(night.into()), "{night}");
                assert_eq!(store.last_report().unwrap(), Some(night.into()), "{night}");
            }
            let set = "UPDATE batch SET started = ? WHERE id = ?";
            store.lock().execute(set, rusqlite::params![started, id]).unwrap();
        }
    }
}
