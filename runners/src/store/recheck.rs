//! Rechecks: the examples of buckets, run again to see which bugs are fixed.

use std::collections::BTreeSet;

use rusqlite::params;

use super::bucket::{BucketKey, difference};
use super::client_record::ClientRecord;
use super::{Batch, Store, StoreError, from_json};
use crate::oracle::{DifferenceKind, Outcome};

impl Batch {
    /// Stores the outcome of a bucket's example when `client` read it again.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn keep_recheck(
        &self,
        key: &BucketKey,
        client: &ClientRecord,
        now: Outcome,
    ) -> Result<(), StoreError> {
        self.store.with(|conn| {
            conn.execute(
                "INSERT OR REPLACE INTO recheck VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    self.id,
                    client.row(conn)?,
                    key.outcome.word(),
                    super::word(&key.kind),
                    super::json(&key.dimensions),
                    now.word(),
                    super::now(),
                    key.difference.map_or("", DifferenceKind::word),
                ],
            )?;
            Ok(())
        })
    }
}

impl Store {
    /// Returns the buckets that are fixed: the last recheck in a finished night had no finding,
    /// and they were not seen since.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn fixed(&self) -> Result<BTreeSet<BucketKey>, StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT l.name, k.outcome, k.kind, k.dimensions, k.now, k.difference, (\
                   SELECT max(r.started) FROM cause c JOIN run r ON r.id = c.run \
                   JOIN client m ON m.id = c.client JOIN batch d ON d.id = r.batch \
                   WHERE m.name = l.name AND c.outcome = k.outcome AND c.kind = k.kind \
                   AND c.dimensions = k.dimensions AND c.difference = k.difference \
                   AND d.state = 'closed') >= k.at \
                 FROM recheck k JOIN client l ON l.id = k.client JOIN batch b ON b.id = k.batch \
                 WHERE b.state = 'closed' ORDER BY k.at, b.uid",
            )?;
            let mut rows = find.query([])?;
            let mut fixed = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let word = |k: usize| row.get::<_, String>(k).map(|word| format!("\"{word}\""));
                let key = BucketKey {
                    client: row.get(0)?,
                    outcome: from_json(&word(1)?)?,
                    difference: difference(&row.get::<_, String>(5)?)?,
                    kind: from_json(&word(2)?)?,
                    dimensions: from_json(&row.get::<_, String>(3)?)?,
                };
                let now: Outcome = from_json(&word(4)?)?;
                let since: Option<bool> = row.get(6)?;
                // The last one counts.
                if now == Outcome::Same && since != Some(true) {
                    fixed.insert(key);
                } else {
                    fixed.remove(&key);
                }
            }
            Ok(fixed)
        })
    }
}
