//! Finished runs, read from the store for reports.

use std::collections::BTreeMap;

use super::client_record::ClientRecord;
use super::stored_run::open_body;
use super::{Batch, Store, StoreError, from_json};
use crate::campaign::{Run, Shard};

/// A run, joined from the parts that are in the store.
#[derive(Debug, Clone)]
pub struct JoinedRun {
    /// All parts, joined.
    pub run: Run,
    /// Notes for the user, a line each.
    pub notes: Vec<String>,
}

struct Part {
    id: i64,
    /// Its chronological index.
    order: usize,
    place: usize,
    seed: String,
    seed_file: String,
    whole: String,
    shard: String,
    clients: Vec<ClientRecord>,
}

impl Store {
    /// Returns the last run of each seed that was finished or stopped by the user, joined from all
    /// parts of a divided one. Sorted by the seeds' names.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn last_runs(&self) -> Result<Vec<JoinedRun>, StoreError> {
        // Later runs replace earlier ones.
        let mut last: BTreeMap<(String, String), String> = BTreeMap::new();
        let mut parts: BTreeMap<String, BTreeMap<String, Part>> = BTreeMap::new();
        for part in self.parts()? {
            last.insert((part.seed_file.clone(), part.seed.clone()), part.whole.clone());
            parts.entry(part.whole.clone()).or_default().insert(part.shard.clone(), part);
        }
        last.values().filter_map(|whole| parts.get(whole)).map(|parts| self.join(parts)).collect()
    }

    fn parts(&self) -> Result<Vec<Part>, StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT r.id, r.seed_sha256, r.seed_file, r.whole, r.shard, r.clients, r.place \
                 FROM run r JOIN batch b ON b.id = r.batch WHERE r.body IS NOT NULL \
                 ORDER BY r.started, b.uid, r.place",
            )?;
            let mut rows = find.query([])?;
            let mut parts = Vec::new();
            while let Some(row) = rows.next()? {
                parts.push(Part {
                    id: row.get(0)?,
                    order: parts.len(),
                    place: row.get::<_, i64>(6)?.unsigned_abs() as usize,
                    seed: row.get(1)?,
                    seed_file: row.get(2)?,
                    whole: row.get(3)?,
                    shard: row.get(4)?,
                    clients: from_json(&row.get::<_, String>(5)?)?,
                });
            }
            Ok(parts)
        })
    }

    /// Joins `parts` of a run, by shard: the last one of each.
    fn join(&self, parts: &BTreeMap<String, Part>) -> Result<JoinedRun, StoreError> {
        let Some(last) = parts.values().max_by_key(|part| part.order) else {
            return Err(StoreError::Damaged("a run without parts".to_owned()));
        };
        let shard: Shard = last.shard.parse().map_err(StoreError::Damaged)?;
        let (mut notes, mut runs) = (Vec::new(), Vec::new());
        for shard in Shard::all(shard.count) {
            let count = last.clients.len();
            let empty = !(0..count).any(|client| shard.takes(last.place, client, count));
            match parts.get(&shard.to_string()) {
                None if empty => {}
                None => notes.push(format!("{}: part {shard} is missing", last.seed_file)),
                Some(part) => {
                    if part.clients != last.clients {
                        notes.push(format!(
                            "{}: parts {shard} and {} had different clients or versions to divide, \
                             so some results may be missing or duplicated",
                            last.seed_file, last.shard
                        ));
                    }
                    runs.push(self.finished(part.id)?);
                }
            }
        }
        let order: Vec<&str> = last.clients.iter().map(|client| &*client.name).collect();
        let run = Run::join(runs, &order)
            .ok_or_else(|| StoreError::Damaged("a run without parts".to_owned()))?;
        Ok(JoinedRun { run, notes })
    }

    /// Calls `each` with the finished runs of `batch`, or of all nights that were not reported.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn each_run_tonight(
        &self,
        batch: &Batch,
        all: bool,
        mut each: impl FnMut(&Run),
    ) -> Result<(), StoreError> {
        let ids: Vec<i64> = self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT r.id FROM run r JOIN batch b ON b.id = r.batch WHERE r.body IS NOT NULL \
                 AND (b.id = ?1 OR (?2 AND b.kind = 'nightly' AND b.state = 'open')) \
                 ORDER BY r.started, b.uid, r.place",
            )?;
            let ids = find.query_map(rusqlite::params![batch.id, all], |row| row.get(0))?;
            Ok(ids.collect::<Result<_, _>>()?)
        })?;
        ids.into_iter().try_for_each(|id| self.finished(id).map(|run| each(&run)))
    }

    /// Returns the run in this row.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn finished(&self, id: i64) -> Result<Run, StoreError> {
        let body: Vec<u8> = self.with(|conn| {
            Ok(conn.query_row("SELECT body FROM run WHERE id = ?", [id], |row| row.get(0))?)
        })?;
        open_body(&body).map_err(|error| self.about(error))
    }
}
