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
    /// True if the user goes on without them ([`Store::settle`]).
    pub settled: bool,
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
            settled: bool,
        }
        let mut divisions: BTreeMap<(String, usize), Division> = BTreeMap::new();
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT division, part, started, complete OR state = 'closed', settled FROM batch \
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
                    settled: false,
                });
                division.settled |= row.get::<_, bool>(4)?;
                if row.get::<_, bool>(3)? {
                    division.complete.insert(shard.index);
                }
            }
            Ok(())
        })?;
        let missing = |division: Division| {
            let absent = |shard: &Shard| !division.complete.contains(&shard.index);
            let parts: Vec<Shard> = Shard::all(division.count).filter(absent).collect();
            let Division { since, settled, .. } = division;
            (!parts.is_empty()).then_some(MissingParts { since, parts, settled })
        };
        Ok(divisions.into_values().filter_map(missing).collect())
    }

    /// Records that the parts which are missing now are not waited for.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn settle(&self) -> Result<(), StoreError> {
        self.with(|conn| {
            let set = "UPDATE batch SET settled = 1 WHERE part IS NOT NULL AND state = 'open'";
            conn.execute(set, [])?;
            Ok(())
        })
    }

    /// Returns true if there are parts of nights that were not reported.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn has_unreported_parts(&self) -> Result<bool, StoreError> {
        self.with(|conn| {
            let find = "SELECT EXISTS (SELECT 1 FROM batch WHERE part IS NOT NULL \
                        AND kind = 'nightly' AND state = 'open')";
            Ok(conn.query_row(find, [], |row| row.get(0))?)
        })
    }
}
