//! The programs of clients in each night.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::client_record::ClientRecord;
use super::{Batch, Store, StoreError, from_json};

/// The clients of a night, by name. A client that had several programs has several records.
type Programs = BTreeMap<String, Vec<ClientRecord>>;

impl Store {
    /// Returns the names of the clients that have the same program and version tonight as in the last `nights` finished
    /// nights in which they took part. A client with fewer such nights is left out. Tonight comprises the runs of
    /// `batch` and of nights that were not reported.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn unchanged_programs(
        &self,
        batch: &Batch,
        nights: usize,
    ) -> Result<BTreeSet<String>, StoreError> {
        let (tonight, earlier) = self.programs(batch)?;
        let is_same = |name: &String, record: &ClientRecord| {
            let with_it = earlier.iter().filter_map(|night| night.get(name)).take(nights);
            let all: Vec<_> = with_it.collect();
            all.len() == nights && all.into_iter().flatten().all(|then| record.is_program_of(then))
        };
        let unchanged = tonight.into_iter().filter(|(name, records)| {
            records.iter().all(|record| record.is_identified() && is_same(name, record))
        });
        Ok(unchanged.map(|(name, _)| name).collect())
    }

    /// Returns the programs of tonight, and those of the finished nights, latest first.
    fn programs(&self, batch: &Batch) -> Result<(Programs, Vec<Programs>), StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare_cached(
                "SELECT b.id, b.id = ?1 OR b.state <> 'closed', r.clients \
                 FROM run r JOIN batch b ON b.id = r.batch \
                 WHERE b.kind = 'nightly' AND r.body IS NOT NULL \
                 ORDER BY b.started DESC, b.uid DESC",
            )?;
            let mut rows = find.query(params![batch.id])?;
            let (mut tonight, mut earlier): (Programs, Vec<(i64, Programs)>) = Default::default();
            while let Some(row) = rows.next()? {
                let (id, is_tonight): (i64, bool) = (row.get(0)?, row.get(1)?);
                if !is_tonight && earlier.last().is_none_or(|(last, _)| *last != id) {
                    earlier.push((id, Programs::new()));
                }
                let night = match earlier.last_mut() {
                    Some((_, night)) if !is_tonight => night,
                    _ => &mut tonight,
                };
                let clients: Vec<ClientRecord> = from_json(&row.get::<_, String>(2)?)?;
                for client in clients {
                    let known = night.entry(client.name.clone()).or_default();
                    if !known.contains(&client) {
                        known.push(client);
                    }
                }
            }
            Ok((tonight, earlier.into_iter().map(|(_, night)| night).collect()))
        })
    }
}
