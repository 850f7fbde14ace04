//! Searches earlier runs for a file that a client read: whether a finding is a regression.

use inverter::solve::Choices;
use rusqlite::params;

use super::{Batch, Store, StoreError, from_json};
use crate::campaign::pack;

/// The number of earlier runs of a seed that are searched, the latest first.
const RUNS: i64 = 8;

impl Store {
    /// Returns the time of the latest reported run of the seed with this SHA-256 in which `client` read the
    /// variant of exactly these `choices`; `None` if there is none among the last few runs. Runs of
    /// `batch` do not count.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn read_before(
        &self,
        batch: &Batch,
        client: &str,
        seed_sha256: &str,
        choices: &Choices,
    ) -> Result<Option<String>, StoreError> {
        if choices.is_empty() {
            return Ok(None);
        }
        self.with(|conn| {
            let mut runs = conn.prepare_cached(
                "SELECT r.id, r.started FROM run r JOIN batch b ON b.id = r.batch \
                 WHERE r.seed_sha256 = ?1 AND b.id <> ?2 \
                 AND NOT (b.kind = 'nightly' AND b.state <> 'closed') \
                 ORDER BY r.started DESC, b.uid DESC LIMIT ?3",
            )?;
            let mut find = conn.prepare_cached(
                "SELECT v.choices FROM outcome o JOIN client l ON l.id = o.client \
                 JOIN variant v ON v.run = o.run AND v.variant = o.variant \
                 WHERE o.run = ? AND l.name = ? AND o.outcome = 'same'",
            )?;
            let mut runs = runs.query(params![seed_sha256, batch.id, RUNS])?;
            while let Some(run) = runs.next()? {
                let (id, started): (i64, String) = (run.get(0)?, run.get(1)?);
                let mut rows = find.query(params![id, client])?;
                while let Some(row) = rows.next()? {
                    let packed: Vec<u8> = row.get(0)?;
                    let text = pack::unpack(&packed)
                        .map_err(|error| StoreError::Damaged(error.to_string()))?;
                    let read: Choices = from_json(&String::from_utf8_lossy(&text))?;
                    if read == *choices {
                        return Ok(Some(started));
                    }
                }
            }
            Ok(None)
        })
    }
}
