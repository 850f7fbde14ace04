//! Batches: one `repfuzz fuzz` of some seeds, or one night. An interrupted batch can be resumed.

use std::time::{Duration, SystemTime};

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::lock::{StoreLock, lock};
use super::{Store, StoreError, from_json, now, seal};
use crate::report::NightSummary;
use campaign::pack;

/// The subcommand to which a batch belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchKind {
    /// `repfuzz fuzz`.
    Fuzz,
    /// `repfuzz nightly`.
    Nightly,
}

impl BatchKind {
    fn word(self) -> &'static str {
        match self {
            BatchKind::Fuzz => "fuzz",
            BatchKind::Nightly => "nightly",
        }
    }
}

/// The treatment of an unfinished batch with the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It is resumed.
    Resume,
    /// It is abandoned, and a new one begins.
    Fresh,
}

impl Start {
    /// Returns [`Start::Fresh`] if the user requested it.
    pub fn new(fresh: bool) -> Self {
        if fresh { Self::Fresh } else { Self::Resume }
    }
}

/// A batch that this process works on. No other process works on its store at the same time.
#[derive(Debug)]
pub struct Batch {
    pub(super) store: Store,
    pub(super) id: i64,
    _lock: StoreLock,
}

/// Returns the part of a divided run that `key` requests (such as `2/4`), and the digest of the key without the part,
/// which all parts share.
fn division(key: &serde_json::Value) -> (Option<String>, Option<String>) {
    let part = key.get("shard").and_then(serde_json::Value::as_str).filter(|part| *part != "1/1");
    let Some(part) = part.map(str::to_owned) else { return (None, None) };
    let mut rest = key.clone();
    if let Some(all) = rest.as_object_mut() {
        all.remove("shard");
    }
    (Some(part), Some(digest(&rest)))
}

/// The digest of a key.
pub(super) fn digest(key: &serde_json::Value) -> String {
    clients::digest::hex(key.to_string())
}

impl Store {
    /// Resumes the unfinished batch with this `key`, which determines all of its work, or begins a new one. With
    /// [`Start::Fresh`], an unfinished batch is abandoned.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::Busy`], or an error of the database.
    pub fn begin(
        &self,
        kind: BatchKind,
        key: &serde_json::Value,
        start: Start,
    ) -> Result<Batch, StoreError> {
        let lock = lock(self.path()).map_err(|error| self.about(error))?;
        let (part, division) = division(key);
        let key = digest(key);
        let id = self.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if start == Start::Fresh {
                let forget =
                    "UPDATE batch SET state = 'abandoned' WHERE key = ? AND state = 'open'";
                work.execute(forget, [&key])?;
            }
            let open = "SELECT id FROM batch WHERE key = ? AND state = 'open' \
                        ORDER BY id DESC LIMIT 1";
            let open: Option<i64> = work.query_row(open, [&key], |row| row.get(0)).optional()?;
            let id = match open {
                Some(id) => id,
                None => {
                    work.execute(
                        "INSERT INTO batch (uid, key, kind, started, state, division, part) \
                         VALUES (?, ?, ?, ?, 'open', ?, ?)",
                        params![uid(&key), key, kind.word(), now(&work)?, division, part],
                    )?;
                    work.last_insert_rowid()
                }
            };
            work.commit()?;
            Ok(id)
        })?;
        Ok(Batch { store: self.clone(), id, _lock: lock })
    }
}

impl Batch {
    /// The store that it belongs to.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns its unique identifier: 32 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn uid(&self) -> Result<String, StoreError> {
        self.store.with(|conn| {
            Ok(conn.query_row("SELECT uid FROM batch WHERE id = ?", [self.id], |row| row.get(0))?)
        })
    }

    /// Marks it as finished.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn close(self) -> Result<(), StoreError> {
        self.store.with(|conn| {
            conn.execute("UPDATE batch SET state = 'closed' WHERE id = ?", [self.id])?;
            Ok(())
        })
    }
}

impl Batch {
    /// Marks this night as finished, with its summary and its report. Marks the unfinished nights before it as well,
    /// because their findings are reported with this one. Deletes reports of earlier nights.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn close_nights(
        self,
        summary: &NightSummary,
        coverage: &serde_json::Value,
        report: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let report = pack::pack(report.to_string().as_bytes());
        self.store.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            work.execute("UPDATE batch SET report = NULL WHERE report IS NOT NULL", [])?;
            let set = "UPDATE batch SET told = ?, coverage = ?, report = ? WHERE id = ?";
            let told = super::json(summary);
            work.execute(set, params![told, coverage.to_string(), report, self.id])?;
            let close = "UPDATE batch SET state = 'closed' \
                         WHERE id = ? OR (kind = 'nightly' AND state <> 'closed')";
            work.execute(close, [self.id])?;
            seal::seal_night(&work, self.id)?;
            Ok(work.commit()?)
        })
    }

    /// Marks this part of a night as finished; `losses` are its failures on our side, as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn complete_part(self, losses: &serde_json::Value) -> Result<(), StoreError> {
        self.store.with(|conn| {
            let set = "UPDATE batch SET complete = 1, losses = ? WHERE id = ?";
            conn.execute(set, params![losses.to_string(), self.id])?;
            Ok(())
        })
    }

    /// Returns the time that finished and unfinished runs of this batch took in earlier processes.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn spent(&self) -> Result<Duration, StoreError> {
        self.store.with(|conn| {
            let sum = "SELECT coalesce(sum(spent_ms), 0) FROM run WHERE batch = ?";
            let spent: i64 = conn.query_row(sum, [self.id], |row| row.get(0))?;
            Ok(Duration::from_millis(spent.unsigned_abs()))
        })
    }
}

impl Store {
    /// The summaries of all finished nights, the oldest first.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn nights(&self) -> Result<Vec<NightSummary>, StoreError> {
        self.with(|conn| {
            let find = "SELECT told FROM batch WHERE kind = 'nightly' AND state = 'closed' \
                        AND told IS NOT NULL ORDER BY started, uid";
            let mut find = conn.prepare(find)?;
            let mut rows = find.query([])?;
            let mut nights = Vec::new();
            while let Some(row) = rows.next()? {
                nights.push(from_json(&row.get::<_, String>(0)?)?);
            }
            Ok(nights)
        })
    }
}

impl Store {
    /// Returns the coverage of the last finished night, as it was passed to [`Batch::close_nights`].
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn last_coverage(&self) -> Result<Option<serde_json::Value>, StoreError> {
        self.with(|conn| {
            let find = "SELECT coverage FROM batch WHERE kind = 'nightly' AND state = 'closed' \
                        AND coverage IS NOT NULL ORDER BY started DESC, uid DESC LIMIT 1";
            let found: Option<String> = conn.query_row(find, [], |row| row.get(0)).optional()?;
            found.map(|text| from_json(&text)).transpose()
        })
    }

    /// Returns the report of the last finished night, as it was passed to [`Batch::close_nights`]; `None` if there is
    /// no such night, or if an earlier version closed it.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn last_report(&self) -> Result<Option<serde_json::Value>, StoreError> {
        self.with(|conn| {
            let find = "SELECT report FROM batch WHERE kind = 'nightly' AND state = 'closed' \
                        AND told IS NOT NULL ORDER BY started DESC, uid DESC LIMIT 1";
            let found: Option<Option<Vec<u8>>> =
                conn.query_row(find, [], |row| row.get(0)).optional()?;
            let Some(packed) = found.flatten() else { return Ok(None) };
            let text =
                pack::unpack(&packed).map_err(|error| StoreError::Damaged(error.to_string()))?;
            Ok(Some(from_json(&String::from_utf8_lossy(&text))?))
        })
    }

    /// Returns the failures on our side that parts of unfinished nights recorded, as a JSON value for each part.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn part_losses(&self) -> Result<Vec<serde_json::Value>, StoreError> {
        self.with(|conn| {
            let find = "SELECT losses FROM batch WHERE kind = 'nightly' AND state <> 'closed' \
                        AND losses IS NOT NULL ORDER BY started, uid";
            let mut find = conn.prepare(find)?;
            let mut rows = find.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(from_json(&row.get::<_, String>(0)?)?);
            }
            Ok(all)
        })
    }
}

/// An identifier that no other batch has on any machine.
fn uid(key: &str) -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let text = format!("{key} {} {} {host}", since.as_nanos(), std::process::id());
    clients::digest::hex(text)[..32].to_owned()
}
