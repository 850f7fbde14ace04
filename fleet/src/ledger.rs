//! The ledger of a night's jobs: an SQLite file next to the store of the nights, which exists until the night ends.
//!
//! A job is added before it is published, and its result before it is acknowledged, each once. A server that was killed
//! continues from the ledger.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::wire::{Done, Job, decode, encode};

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS job (
    number INTEGER PRIMARY KEY,
    night  TEXT NOT NULL,
    id     TEXT NOT NULL UNIQUE,
    body   BLOB NOT NULL            -- wire::Job
);
CREATE TABLE IF NOT EXISTS result (
    number INTEGER PRIMARY KEY,     -- in the order of arrival
    job    TEXT NOT NULL UNIQUE REFERENCES job (id),
    body   BLOB NOT NULL            -- wire::Done
);
";

/// The ledger of one night.
#[derive(Debug, Clone)]
pub struct Ledger {
    conn: Arc<Mutex<Connection>>,
    path: PathBuf,
    night: String,
}

/// A job, with its result if that has arrived.
pub type Entry = (Job, Option<Done>);

/// The effect of a result that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It is the first one of its job.
    New,
    /// The job already has a result, which stays.
    Repeated,
    /// There is no such job, or the result has another number of files.
    Unknown,
}

impl Ledger {
    /// Opens the ledger next to `store` for the `night`, and forgets other nights.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn open(store: &Path, night: &str) -> rusqlite::Result<Self> {
        let mut path = store.as_os_str().to_owned();
        path.push("-fleet");
        let path = PathBuf::from(path);
        let conn = Connection::open(&path)?;
        reports::store::wait_while_busy(&conn, &path)?;
        // As in the store, committed data survives `kill -9`.
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "NORMAL")?;
        conn.execute_batch(SCHEMA)?;
        reports::store::hide(&path);
        let others: Option<String> = conn
            .query_row("SELECT night FROM job WHERE night <> ? LIMIT 1", [night], |r| r.get(0))
            .optional()?;
        if others.is_some() {
            conn.execute_batch("DELETE FROM result; DELETE FROM job;")?;
        }
        Ok(Self { conn: Arc::new(Mutex::new(conn)), path, night: night.to_owned() })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.conn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all jobs: first those with results, in the order in which the results arrived, then the others.
    ///
    /// # Errors
    ///
    /// Returns an error of the database. Damaged rows are left out.
    pub fn entries(&self) -> rusqlite::Result<Vec<Entry>> {
        let conn = self.lock();
        let mut find = conn.prepare(
            "SELECT j.body, r.body FROM job j LEFT JOIN result r ON r.job = j.id \
             ORDER BY r.number IS NULL, r.number, j.number",
        )?;
        let mut rows = find.query([])?;
        let mut entries = Vec::new();
        while let Some(row) = rows.next()? {
            let (job, done): (Vec<u8>, Option<Vec<u8>>) = (row.get(0)?, row.get(1)?);
            let Ok(job) = decode(&job) else { continue };
            entries.push((job, done.and_then(|body| decode(&body).ok())));
        }
        Ok(entries)
    }

    /// Returns a number that no job of this night has.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn next_number(&self) -> rusqlite::Result<u64> {
        let find = "SELECT coalesce(max(number), 0) + 1 FROM job";
        let next: i64 = self.lock().query_row(find, [], |row| row.get(0))?;
        Ok(next.unsigned_abs())
    }

    /// Adds jobs and removes those that they replace, in one transaction.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn add(&self, jobs: &[(u64, &Job)], replaced: Option<&str>) -> rusqlite::Result<()> {
        let mut conn = self.lock();
        let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (number, job) in jobs {
            work.prepare_cached("INSERT OR IGNORE INTO job VALUES (?, ?, ?, ?)")?
                .execute(params![*number as i64, self.night, job.id, encode(*job)])?;
        }
        if let Some(replaced) = replaced {
            work.execute("DELETE FROM job WHERE id = ?", [replaced])?;
        }
        work.commit()
    }

    /// Commits results, in one transaction.
    ///
    /// # Errors
    ///
    /// Returns an error of the database. Nothing is changed then.
    pub fn commit(&self, results: &[Done]) -> rusqlite::Result<Vec<Arrival>> {
        let mut conn = self.lock();
        let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut arrivals = Vec::new();
        for done in results {
            let job: Option<Vec<u8>> = work
                .prepare_cached("SELECT body FROM job WHERE id = ?")?
                .query_row([&done.job], |row| row.get(0))
                .optional()?;
            let job = job.and_then(|body| decode::<Job>(&body).ok());
            if job.is_none_or(|job| job.items.len() != done.items.len()) {
                arrivals.push(Arrival::Unknown);
                continue;
            }
            let new = work
                .prepare_cached("INSERT OR IGNORE INTO result (job, body) VALUES (?, ?)")?
                .execute(params![done.job, encode(done)])?;
            arrivals.push(if new == 1 { Arrival::New } else { Arrival::Repeated });
        }
        work.commit()?;
        Ok(arrivals)
    }

    /// Removes the ledger: the night has ended.
    pub fn remove(self) {
        let Self { conn, path, .. } = self;
        drop(conn);
        for suffix in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{FileSource, Item, ItemReply, WireReply};

    fn job(id: &str) -> Job {
        let file = FileSource::Inline(String::new());
        let item = Item { sha256: "0".to_owned(), fresh: false, full: false, not_by: None, file };
        Job {
            id: id.to_owned(),
            protocol: 2,
            extension: "tif".to_owned(),
            night: "n".to_owned(),
            client: "c".to_owned(),
            version: String::new(),
            program: String::new(),
            seed: None,
            items: vec![item],
        }
    }

    fn done(job: &str, us: u64) -> Done {
        let items = vec![ItemReply { us, reply: WireReply::Hang }];
        Done { job: job.to_owned(), worker: "w".to_owned(), items }
    }

    #[test]
    fn results_arrive_once_and_survive() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("s.sqlite");
        let ledger = Ledger::open(&store, "n").unwrap();
        let number = ledger.next_number().unwrap();
        ledger.add(&[(number, &job("a")), (number + 1, &job("b"))], None).unwrap();
        let results = [done("b", 1), done("b", 2), done("x", 3)];
        let arrivals = ledger.commit(&results).unwrap();
        assert_eq!(arrivals, [Arrival::New, Arrival::Repeated, Arrival::Unknown]);
        drop(ledger);
        let ledger = Ledger::open(&store, "n").unwrap();
        let entries = ledger.entries().unwrap();
        assert_eq!(entries, [(job("b"), Some(done("b", 1))), (job("a"), None)]);
        assert_eq!(ledger.next_number().unwrap(), number + 2);
        // A part of the job replaces it.
        ledger.add(&[(number + 2, &job("a.1"))], Some("a")).unwrap();
        let ids: Vec<String> = ledger.entries().unwrap().into_iter().map(|(j, _)| j.id).collect();
        assert_eq!(ids, ["b", "a.1"]);
        // Another night begins with an empty ledger.
        drop(ledger);
        let other = Ledger::open(&store, "m").unwrap();
        assert!(other.entries().unwrap().is_empty());
        other.remove();
        assert!(!folder.path().join("s.sqlite-fleet").exists());
    }
}
