//! Rechecks run the examples of buckets again to see which bugs are fixed.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Row, params};

use super::bucket::{BucketKey, difference};
use super::client_record::ClientRecord;
use super::{Batch, Store, StoreError, from_json};
use campaign::Rechecked;
use campaign::oracle::{DifferenceKind, Outcome};
use clients::message::shape;

impl Batch {
    /// Stores the outcome when `client` read a bucket's example again.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn keep_recheck(
        &self,
        key: &BucketKey,
        client: &ClientRecord,
        now: &Rechecked,
    ) -> Result<(), StoreError> {
        self.store.with(|conn| {
            conn.execute(
                "INSERT OR REPLACE INTO recheck VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    self.id,
                    client.row(conn)?,
                    key.outcome.word(),
                    super::word(&key.kind),
                    super::json(&key.dimensions),
                    now.outcome.word(),
                    super::now(conn)?,
                    key.difference.map_or("", DifferenceKind::word),
                    now.message,
                    key.format,
                ],
            )?;
            Ok(())
        })
    }
}

/// The rechecks of a bucket in finished nights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastRecheck {
    /// The outcome of the last one.
    pub outcome: Option<Outcome>,
    /// The [shapes](shape) of the messages of all of them.
    pub messages: BTreeSet<String>,
}

impl Store {
    /// Returns the rechecks of all buckets in finished nights.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn rechecks(&self) -> Result<BTreeMap<BucketKey, LastRecheck>, StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT l.name, k.outcome, k.kind, k.dimensions, k.now, k.difference, k.format, k.message \
                 FROM recheck k JOIN client l ON l.id = k.client JOIN batch b ON b.id = k.batch \
                 WHERE b.state = 'closed' ORDER BY k.at, b.uid",
            )?;
            let mut rows = find.query([])?;
            let mut all: BTreeMap<BucketKey, LastRecheck> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let (key, now) = key(row)?;
                let last = all.entry(key).or_default();
                last.outcome = Some(now);
                let message: Option<String> = row.get(7)?;
                last.messages.extend(message.as_deref().map(shape));
            }
            Ok(all)
        })
    }

    /// Returns the buckets that are fixed: the last recheck in a finished night had no finding, and they have not been
    /// seen since.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn fixed(&self) -> Result<BTreeSet<BucketKey>, StoreError> {
        self.last_rechecked(|_, now| now == Outcome::Same)
    }

    /// Returns the buckets whose outcome is gone: the last recheck in a finished night had [a better
    /// one](BucketKey::is_gone), and they have not been seen since.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn gone(&self) -> Result<BTreeSet<BucketKey>, StoreError> {
        self.last_rechecked(BucketKey::is_gone)
    }

    /// Returns the buckets whose last recheck in a finished night `fits`, and that have not been seen since.
    fn last_rechecked(
        &self,
        fits: impl Fn(&BucketKey, Outcome) -> bool,
    ) -> Result<BTreeSet<BucketKey>, StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT l.name, k.outcome, k.kind, k.dimensions, k.now, k.difference, k.format, (\
                   SELECT max(r.started) FROM cause c JOIN run r ON r.id = c.run \
                   JOIN client m ON m.id = c.client JOIN batch d ON d.id = r.batch \
                   WHERE m.name = l.name AND c.outcome = k.outcome AND c.kind = k.kind \
                   AND c.dimensions = k.dimensions AND c.difference = k.difference \
                   AND r.format = k.format \
                   AND d.state = 'closed') >= k.at \
                 FROM recheck k JOIN client l ON l.id = k.client JOIN batch b ON b.id = k.batch \
                 WHERE b.state = 'closed' ORDER BY k.at, b.uid",
            )?;
            let mut rows = find.query([])?;
            let mut fitting = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let (key, now) = key(row)?;
                let since: Option<bool> = row.get(7)?;
                // The last recheck counts.
                if fits(&key, now) && since != Some(true) {
                    fitting.insert(key);
                } else {
                    fitting.remove(&key);
                }
            }
            Ok(fitting)
        })
    }
}

/// Reads the key and the outcome of a recheck in columns 0 to 6.
fn key(row: &Row<'_>) -> Result<(BucketKey, Outcome), StoreError> {
    let word = |k: usize| row.get::<_, String>(k).map(|word| format!("\"{word}\""));
    let key = BucketKey {
        client: row.get(0)?,
        outcome: from_json(&word(1)?)?,
        difference: difference(&row.get::<_, String>(5)?)?,
        kind: from_json(&word(2)?)?,
        dimensions: from_json(&row.get::<_, String>(3)?)?,
        format: row.get(6)?,
    };
    Ok((key, from_json(&word(4)?)?))
}
