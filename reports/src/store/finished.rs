//! Finished runs, read from the store for reports.

use std::collections::BTreeMap;

use super::client_record::ClientRecord;
use super::stored_run::open_body;
use super::{Batch, Store, StoreError, from_json};
use campaign::Run;

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
    seed: String,
    seed_file: String,
    whole: String,
    shard: String,
    clients: Vec<ClientRecord>,
}

impl Store {
    /// Returns the last run of each seed that was finished or stopped by the user, sorted by the seeds' names. The
    /// parts of a divided run are joined.
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
                "SELECT r.id, r.seed_sha256, r.seed_file, r.whole, r.shard, r.clients \
                 FROM run r JOIN batch b ON b.id = r.batch WHERE r.body IS NOT NULL \
                 ORDER BY r.started, b.uid, r.place",
            )?;
            let mut rows = find.query([])?;
            let mut parts = Vec::new();
            while let Some(row) = rows.next()? {
                parts.push(Part {
                    id: row.get(0)?,
                    order: parts.len(),
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

    /// Joins the parts of a run; `parts` has the last one of each shard.
    fn join(&self, parts: &BTreeMap<String, Part>) -> Result<JoinedRun, StoreError> {
        let Some(last) = parts.values().max_by_key(|part| part.order) else {
            return Err(StoreError::Damaged("a run without parts".to_owned()));
        };
        let (mut notes, mut runs) = (Vec::new(), Vec::new());
        for part in parts.values() {
            if part.clients != last.clients {
                notes.push(format!(
                    "{}: parts {} and {} had different clients or versions to divide, so some results \
                     may be missing or duplicated",
                    last.seed_file, part.shard, last.shard
                ));
            }
            runs.push(self.finished(part.id)?);
        }
        let there = |name: &str| runs.iter().flat_map(|run| &run.clients).any(|c| c.name == name);
        let missing = last.clients.iter().filter(|client| !there(&client.name));
        let missing: Vec<&str> = missing.map(|client| client.name.as_str()).collect();
        if !missing.is_empty() {
            let names = missing.join(", ");
            notes.push(format!("{}: no results of {names}: a part is missing", last.seed_file));
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
