//! What a user asked for at once: one `repfuzz fuzz` of some seeds, or one night.

use std::time::SystemTime;

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::busy::{Held, hold};
use super::{Store, StoreError, from_json, now};
use crate::report::NightSummary;

/// Which subcommand a batch belongs to.
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

/// A batch that this process works on. No other process works on its store meanwhile.
#[derive(Debug)]
pub struct Batch {
    pub(super) store: Store,
    pub(super) id: i64,
    _held: Held,
}

/// The digest of all that something does.
pub(super) fn digest(key: &serde_json::Value) -> String {
    crate::digest::hex(key.to_string())
}

impl Store {
    /// The batch of this `key`, which says all that it does: one that was begun and did not
    /// come to its end, unless it shall be `fresh`; else a new one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`], or what the database says.
    pub fn begin(
        &self,
        kind: BatchKind,
        key: &serde_json::Value,
        fresh: bool,
    ) -> Result<Batch, StoreError> {
        let held = hold(self.path()).map_err(|error| self.about(error))?;
        let key = digest(key);
        let id = self.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if fresh {
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
        Ok(Batch { store: self.clone(), id, _held: held })
    }
}

impl Batch {
    /// The store that it is in.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// It came to its end.
    ///
    /// # Errors
    ///
    /// What the database says.
    pub fn close(self) -> Result<(), StoreError> {
        self.store.with(|conn| {
            conn.execute("UPDATE batch SET state = 'closed' WHERE id = ?", [self.id])?;
            Ok(())
        })
    }
}

impl Batch {
    /// This night came to its end and `told` this, and with it those before it that did not:
    /// what they found is told with this one.
    ///
    /// # Errors
    ///
    /// What the database says.
    pub fn close_nights(self, told: &NightSummary) -> Result<(), StoreError> {
        self.store.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let tell = "UPDATE batch SET told = ? WHERE id = ?";
            work.execute(tell, params![super::json(told), self.id])?;
            let close = "UPDATE batch SET state = 'closed' \
                         WHERE id = ? OR (kind = 'nightly' AND state <> 'closed')";
            work.execute(close, [self.id])?;
            Ok(work.commit()?)
        })
    }
}

impl Store {
    /// What the nights told that came to their end, from the oldest on.
    ///
    /// # Errors
    ///
    /// What the database says.
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

/// A name that no other batch has, on whatever machine.
fn uid(key: &str) -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let text = format!("{key} {} {} {host}", since.as_nanos(), std::process::id());
    crate::digest::hex(text)[..32].to_owned()
}
