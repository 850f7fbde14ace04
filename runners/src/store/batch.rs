//! Batches: one `repfuzz fuzz` of some seeds, or one night. An interrupted batch can be resumed.

use std::time::SystemTime;

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::lock::{StoreLock, lock};
use super::{Store, StoreError, from_json, now};
use crate::report::NightSummary;

/// The subcommand that a batch belongs to.
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

/// The treatment of an open batch with the same key.
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

/// A batch that this process works on. No other process works on its store meanwhile.
#[derive(Debug)]
pub struct Batch {
    pub(super) store: Store,
    pub(super) id: i64,
    _lock: StoreLock,
}

/// The digest of a key.
pub(super) fn digest(key: &serde_json::Value) -> String {
    crate::digest::hex(key.to_string())
}

impl Store {
    /// Resumes the open batch of this `key`, which determines all of its work, or begins a new one.
    /// With [`Start::Fresh`], an open batch is abandoned.
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
                        "INSERT INTO batch (uid, key, kind, started, state) \
                         VALUES (?, ?, ?, ?, 'open')",
                        params![uid(&key), key, kind.word(), now()],
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
    /// Marks this night as finished, with its summary, and also the unfinished nights before it:
    /// their findings are reported with this one.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn close_nights(self, summary: &NightSummary) -> Result<(), StoreError> {
        self.store.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let set = "UPDATE batch SET told = ? WHERE id = ?";
            work.execute(set, params![super::json(summary), self.id])?;
            let close = "UPDATE batch SET state = 'closed' \
                         WHERE id = ? OR (kind = 'nightly' AND state <> 'closed')";
            work.execute(close, [self.id])?;
            Ok(work.commit()?)
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

/// An identifier that no other batch has on any machine.
fn uid(key: &str) -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let text = format!("{key} {} {} {host}", since.as_nanos(), std::process::id());
    crate::digest::hex(text)[..32].to_owned()
}
