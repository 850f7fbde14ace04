//! Searches earlier runs for files that a client read: whether a finding is a regression.

use inverter::solve::{Choice, Choices};
use rusqlite::{Connection, params};

use super::{Batch, Store, StoreError, from_json};
use crate::campaign::pack;

/// The number of earlier runs of a seed that are searched, the latest first.
const RUNS: i64 = 8;

/// The least number of files with the values of a finding that say something about it.
const EVIDENCE: usize = 2;

/// The file of a finding, for the search of files like it in earlier runs.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'s> {
    /// The client's name.
    pub client: &'s str,
    /// The SHA-256 of the seed.
    pub seed_sha256: &'s str,
    /// All choices of the file.
    pub choices: &'s Choices,
    /// The dimensions of the finding's cause.
    pub dimensions: &'s [String],
    /// Only runs that began after this time count (RFC 3339).
    pub after: &'s str,
}

/// The outcomes of a client in a run.
#[derive(Debug, Default)]
struct Tally {
    /// The outcomes on the file with exactly the choices: it was read, and anything else.
    exact: [usize; 2],
    /// The outcomes on all files with the values of the dimensions.
    alike: [usize; 2],
}

impl Tally {
    fn files(&self) -> usize {
        self.alike.iter().sum()
    }

    /// Most files were read: in the others, something else may have been amiss.
    fn is_read(&self) -> bool {
        let [read, _] = self.alike;
        read >= EVIDENCE && 4 * read >= 3 * self.files()
    }

    /// Most files were not read.
    fn is_unread(&self) -> bool {
        let [read, _] = self.alike;
        self.files() >= EVIDENCE && 4 * read <= self.files()
    }
}

impl Sought<'_> {
    /// The values of the cause; `None` if the file does not have all of them.
    fn values(&self) -> Option<Vec<(&str, &Choice)>> {
        let dimensions = self.dimensions.iter();
        let values: Option<Vec<_>> =
            dimensions.map(|name| Some((name.as_str(), self.choices.get(name)?))).collect();
        values.filter(|values| !values.is_empty())
    }

    fn tally(&self, conn: &Connection, run: i64) -> Result<Tally, StoreError> {
        let values = self.values();
        let mut find = conn.prepare_cached(
            "SELECT v.choices, o.outcome = 'same' FROM outcome o JOIN client l ON l.id = o.client \
             JOIN variant v ON v.run = o.run AND v.variant = o.variant \
             WHERE o.run = ? AND l.name = ?",
        )?;
        let mut rows = find.query(params![run, self.client])?;
        let mut tally = Tally::default();
        while let Some(row) = rows.next()? {
            let (packed, read): (Vec<u8>, bool) = (row.get(0)?, row.get(1)?);
            let text =
                pack::unpack(&packed).map_err(|error| StoreError::Damaged(error.to_string()))?;
            let choices: Choices = from_json(&String::from_utf8_lossy(&text))?;
            let has = |(name, value): &(&str, &Choice)| choices.get(*name) == Some(*value);
            tally.exact[usize::from(!read)] += usize::from(choices == *self.choices);
            let alike = values.as_ref().is_some_and(|values| values.iter().all(has));
            tally.alike[usize::from(!read)] += usize::from(alike);
        }
        Ok(tally)
    }
}

impl Store {
    /// Returns the time of the last reported run in which the client read such a file: exactly this one;
    /// or most of those with the values of the cause, at least two, if it reads at most a quarter of those
    /// in the runs of `batch`. The last run that had such files decides; `None` if they were not read in
    /// it, or if none of the last few runs had any. Runs of `batch` do not count.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn read_before(
        &self,
        batch: &Batch,
        sought: Sought<'_>,
    ) -> Result<Option<String>, StoreError> {
        if sought.choices.is_empty() {
            return Ok(None);
        }
        let unreported = "(b.id = ?2 OR (b.kind = 'nightly' AND b.state <> 'closed'))";
        self.with(|conn| {
            let list = |filter: &str| -> Result<Vec<(i64, String)>, StoreError> {
                let mut find = conn.prepare_cached(&format!(
                    "SELECT r.id, r.started FROM run r JOIN batch b ON b.id = r.batch \
                     WHERE r.seed_sha256 = ?1 AND {filter} \
                     ORDER BY r.started DESC, b.uid DESC LIMIT ?3"
                ))?;
                let rows = find.query_map(params![sought.seed_sha256, batch.id, RUNS], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            };
            let tonight = || -> Result<Tally, StoreError> {
                let mut tonight = Tally::default();
                for (run, _) in list(unreported)? {
                    let Tally { alike, .. } = sought.tally(conn, run)?;
                    tonight.alike.iter_mut().zip(alike).for_each(|(all, more)| *all += more);
                }
                Ok(tonight)
            };
            let mut by_values = true;
            for (run, started) in list(&format!("NOT {unreported}"))? {
                if *started <= *sought.after {
                    break;
                }
                let tally = sought.tally(conn, run)?;
                match tally.exact {
                    [0, 0] => {}
                    [_, 0] => return Ok(Some(started)),
                    _ => return Ok(None),
                }
                if by_values && tally.is_read() && tonight()?.is_unread() {
                    return Ok(Some(started));
                }
                by_values &= tally.files() < EVIDENCE;
            }
            Ok(None)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_files_and_a_clear_majority_are_evidence() {
        let of = |read, other| Tally { alike: [read, other], ..Tally::default() };
        for (tally, read, unread) in [
            (of(1, 0), false, false),
            (of(2, 0), true, false),
            (of(3, 1), true, false),
            (of(2, 1), false, false),
            (of(0, 1), false, false),
            (of(0, 2), false, true),
            (of(1, 3), false, true),
            (of(1, 2), false, false),
        ] {
            assert_eq!((tally.is_read(), tally.is_unread()), (read, unread), "{tally:?}");
        }
    }
}
