//! The parts of divided runs and nights, and those that are missing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Store, StoreError};
use crate::campaign::Shard;

/// Parts of one divided run or night that are not in the store, or were not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParts {
    /// The time at which the first part that is there began.
    pub since: String,
    /// The parts that are missing.
    pub parts: Vec<Shard>,
}

impl MissingParts {
    /// Returns a line about them: `the run of 2026-11-22: parts 2/4 and 3/4 are missing`.
    pub fn line(&self) -> String {
        let names: Vec<String> = self.parts.iter().map(Shard::to_string).collect();
        let (noun, verb) = if names.len() == 1 { ("part", "is") } else { ("parts", "are") };
        let since = self.since.get(..16).unwrap_or(&self.since).replace('T', " ");
        let names = names.join(" and ");
        format!("the run of {since}: {noun} {names} {verb} missing or unfinished")
    }
}

impl Store {
    /// Returns the missing parts of divided runs and of divided nights that were not reported.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn missing_parts(&self) -> Result<Vec<MissingParts>, StoreError> {
        struct Division {
            since: String,
            count: usize,
            complete: BTreeSet<usize>,
        }
        let mut divisions: BTreeMap<(String, usize), Division> = BTreeMap::new();
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT division, part, started, complete OR state = 'closed' FROM batch \
                 WHERE part IS NOT NULL AND state <> 'abandoned' \
                 AND NOT (kind = 'nightly' AND state = 'closed') ORDER BY started, uid",
            )?;
            let mut rows = find.query([])?;
            while let Some(row) = rows.next()? {
                let part: String = row.get(1)?;
                let shard: Shard = part.parse().map_err(StoreError::Damaged)?;
                let since: String = row.get(2)?;
                let division = divisions.entry((row.get(0)?, shard.count)).or_insert(Division {
                    since,
                    count: shard.count,
                    complete: BTreeSet::new(),
                });
                if row.get::<_, bool>(3)? {
                    division.complete.insert(shard.index);
                }
            }
            Ok(())
        })?;
        let missing = |division: Division| {
            let absent = |shard: &Shard| !division.complete.contains(&shard.index);
            let parts: Vec<Shard> = Shard::all(division.count).filter(absent).collect();
            (!parts.is_empty()).then_some(MissingParts { since: division.since, parts })
        };
        Ok(divisions.into_values().filter_map(missing).collect())
    }
}
