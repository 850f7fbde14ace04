//! The parts of divided runs and nights, and those that are missing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Store, StoreError};
use campaign::Shard;

/// Parts of one divided run or night that are not in the store, or were not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParts {
    /// The time at which the first part that is there began.
    pub since: String,
    /// The parts that are missing.
    pub parts: Vec<Shard>,
    /// True if the user decided to continue without them ([`Store::settle`]).
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
        let late = self.late_parts()?;
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT division, part, started, complete OR state = 'closed', settled, id FROM batch \
                 WHERE part IS NOT NULL AND state <> 'abandoned' \
                 AND NOT (kind = 'nightly' AND state = 'closed') ORDER BY started, uid",
            )?;
            let mut rows = find.query([])?;
            while let Some(row) = rows.next()? {
                if late.contains(&row.get(5)?) {
                    continue;
                }
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

    /// Returns the rows of parts that arrived after their night was reported without them. The other parts of such a
    /// night are not missing, and the next night reports what the late parts found.
    fn late_parts(&self) -> Result<BTreeSet<i64>, StoreError> {
        struct Part {
            id: i64,
            division: String,
            part: String,
            started: String,
            open: bool,
            settled: bool,
        }
        let (reports, parts) = self.with(|conn| {
            let find = "SELECT started FROM batch WHERE kind = 'nightly' AND state = 'closed' \
                        AND told IS NOT NULL ORDER BY started, uid";
            let mut find = conn.prepare(find)?;
            let reports = find.query_map([], |row| row.get(0))?;
            let reports: Vec<String> = reports.collect::<Result<_, _>>()?;
            let find = "SELECT id, division, part, started, state = 'open', settled FROM batch \
                        WHERE part IS NOT NULL AND kind = 'nightly' AND state <> 'abandoned'";
            let mut find = conn.prepare(find)?;
            let parts = find.query_map([], |row| {
                Ok(Part {
                    id: row.get(0)?,
                    division: row.get(1)?,
                    part: row.get(2)?,
                    started: row.get(3)?,
                    open: row.get(4)?,
                    settled: row.get(5)?,
                })
            })?;
            Ok((reports, parts.collect::<Result<Vec<Part>, _>>()?))
        })?;
        // The night of a part is the night that was reported next.
        let night = |part: &Part| reports.iter().position(|report| *report > part.started);
        let of_one = |late: &Part, other: &Part| {
            other.division == late.division && night(other) == night(late) && !other.open
        };
        let is_late = |late: &&Part| {
            let others = || parts.iter().filter(|other| of_one(late, other));
            late.open
                && night(late).is_some()
                && (late.settled || others().any(|other| other.settled))
                && others().all(|other| other.part != late.part)
        };
        Ok(parts.iter().filter(is_late).map(|part| part.id).collect())
    }

    /// Records that the parts that are missing now are no longer expected.
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

    /// Returns true if there are parts of nights that were not reported, except parts that arrived after their night
    /// was reported.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn has_unreported_parts(&self) -> Result<bool, StoreError> {
        let late = self.late_parts()?;
        self.with(|conn| {
            let find = "SELECT id FROM batch WHERE part IS NOT NULL AND kind = 'nightly' \
                        AND state = 'open'";
            let mut find = conn.prepare(find)?;
            let open = find.query_map([], |row| row.get(0))?;
            let open: Vec<i64> = open.collect::<Result<_, _>>()?;
            Ok(open.iter().any(|part| !late.contains(part)))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report::NightSummary;
    use crate::store::{Batch, BatchKind, Start};

    /// Begins this part of a night in a separate store.
    fn part(folder: &std::path::Path, name: &str, part: &str) -> Batch {
        let store = Store::open(&folder.join(name)).unwrap();
        let key = json!({ "night": 1, "shard": part });
        store.begin(BatchKind::Nightly, &key, Start::Resume).unwrap()
    }

    fn set_start(store: &Store, at: &str) {
        store.lock().execute("UPDATE batch SET started = ?", [at]).unwrap();
    }

    #[test]
    fn parts_that_come_after_the_report_make_no_others_missing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let done = |name: &str, shard: &str, at: &str| {
            let batch = part(folder, name, shard);
            set_start(batch.store(), at);
            batch.complete_part(&json!([])).unwrap();
            folder.join(name)
        };
        let whole = Store::open(&folder.join("whole")).unwrap();
        let missing = || -> Vec<String> {
            let parts = whole.missing_parts().unwrap().into_iter().flat_map(|night| night.parts);
            parts.map(|part| part.to_string()).collect()
        };
        whole.merge(&done("1", "1/4", "2026-11-20T01:00:00Z")).unwrap();
        let killed = part(folder, "2", "2/4");
        set_start(killed.store(), "2026-11-20T01:00:00Z");
        whole.merge(&folder.join("2")).unwrap();
        let late = done("3", "3/4", "2026-11-20T01:00:00Z");
        assert_eq!(missing(), ["2/4", "3/4", "4/4"]);
        assert!(whole.has_unreported_parts().unwrap());
        whole.settle().unwrap();
        let report =
            whole.begin(BatchKind::Nightly, &json!({ "tell": "day" }), Start::Resume).unwrap();
        report.close_nights(&NightSummary::default(), &json!({}), &json!({})).unwrap();
        let told =
            "UPDATE batch SET started = '2026-11-20T04:00:00Z', digest = NULL WHERE part IS NULL";
        whole.lock().execute(told, []).unwrap();
        // One part was missing, and one was resumed.
        whole.merge(&late).unwrap();
        killed.complete_part(&json!([])).unwrap();
        whole.merge(&folder.join("2")).unwrap();
        assert_eq!(missing(), Vec::<String>::new());
        assert!(!whole.has_unreported_parts().unwrap());
        let open = "SELECT count(*) FROM batch WHERE state = 'open'";
        let open: i64 = whole.lock().query_row(open, [], |row| row.get(0)).unwrap();
        assert_eq!(open, 2, "the next night reports what they found");
        // The parts of the next night are missing.
        whole.merge(&done("next", "1/4", "2026-11-21T01:00:00Z")).unwrap();
        assert_eq!(missing(), ["2/4", "3/4", "4/4"]);
        assert!(whole.has_unreported_parts().unwrap());
    }
}
