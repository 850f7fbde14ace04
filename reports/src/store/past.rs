//! Searches earlier runs for files that a client read, to decide whether a finding is a regression.

use inverter::solve::{Choice, Choices};
use rusqlite::{Connection, params};

use super::{Batch, Store, StoreError, from_json};
use campaign::pack;

/// The number of earlier runs of a seed that are searched, the latest first.
const RUNS: i64 = 8;

/// The maximum number of files that are returned.
const FILES: usize = 4;

/// The file of a finding, for the search of files like it in earlier runs.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'s> {
    /// The client's name.
    pub client: &'s str,
    /// The name of the format of its files; empty for TIFF.
    pub format: &'s str,
    /// The SHA-256 of the seed.
    pub seed_sha256: &'s str,
    /// All choices of the file.
    pub choices: &'s Choices,
    /// The dimensions of the finding's cause.
    pub dimensions: &'s [String],
    /// Only runs that began after this time count (RFC 3339).
    pub after: &'s str,
}

/// A file that a client read in an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierFile {
    /// The time at which the run began (RFC 3339).
    pub at: String,
    /// All choices of the file that differ from those of the file from which variants derive.
    pub choices: Choices,
}

/// The files of a run that are similar to the sought one, and whether they were read.
#[derive(Debug, Default)]
struct Tally {
    /// For the file with exactly the sought choices, true if it was read; `None` if there is no such file.
    exact: Option<bool>,
    /// The choices of the files that have the values of the cause and were read.
    read: Vec<Choices>,
}

impl Sought<'_> {
    /// Returns the values of the cause; `None` if the file does not have all of them.
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
             WHERE o.run = ? AND l.name = ? ORDER BY v.variant",
        )?;
        let mut rows = find.query(params![run, self.client])?;
        let mut tally = Tally::default();
        while let Some(row) = rows.next()? {
            let (packed, read): (Vec<u8>, bool) = (row.get(0)?, row.get(1)?);
            let text =
                pack::unpack(&packed).map_err(|error| StoreError::Damaged(error.to_string()))?;
            let choices: Choices = from_json(&String::from_utf8_lossy(&text))?;
            if choices == *self.choices {
                tally.exact = Some(tally.exact.unwrap_or(true) && read);
            }
            let has = |(name, value): &(&str, &Choice)| choices.get(*name) == Some(*value);
            if read && values.as_ref().is_some_and(|values| values.iter().all(has)) {
                tally.read.push(choices);
            }
        }
        Ok(tally)
    }
}

impl Store {
    /// Returns a few of the latest files with the values of a cause that the client read in earlier runs. The sought
    /// file itself comes first, once for each run that read it. Empty if the last run that had exactly this file did
    /// not read it. Runs of `batch` and of nights that were not reported do not count.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn read_before(
        &self,
        batch: &Batch,
        sought: Sought<'_>,
    ) -> Result<Vec<EarlierFile>, StoreError> {
        if sought.choices.is_empty() {
            return Ok(Vec::new());
        }
        self.with(|conn| {
            let mut find = conn.prepare_cached(
                "SELECT r.id, r.started FROM run r JOIN batch b ON b.id = r.batch \
                 WHERE r.seed_sha256 = ?1 AND r.format = ?5 AND r.started > ?2 \
                 AND NOT (b.id = ?3 OR (b.kind = 'nightly' AND b.state <> 'closed')) \
                 ORDER BY r.started DESC, b.uid DESC LIMIT ?4",
            )?;
            let Sought { seed_sha256, format, after, .. } = sought;
            let asked = params![seed_sha256, after, batch.id, RUNS, format];
            let runs = find.query_map(asked, |row| Ok((row.get(0)?, row.get(1)?)))?;
            let runs: Vec<(i64, String)> = runs.collect::<Result<_, _>>()?;
            let (mut files, mut exact): (Vec<EarlierFile>, Vec<EarlierFile>) = Default::default();
            for (run, at) in runs {
                let tally = sought.tally(conn, run)?;
                match tally.exact {
                    Some(false) if exact.is_empty() => return Ok(Vec::new()),
                    Some(true) => {
                        let choices = sought.choices.clone();
                        exact.push(EarlierFile { at: at.clone(), choices });
                    }
                    _ => {}
                }
                let others = tally.read.into_iter().filter(|choices| choices != sought.choices);
                files.extend(others.map(|choices| EarlierFile { at: at.clone(), choices }));
            }
            Ok(exact.into_iter().chain(files).take(FILES).collect())
        })
    }
}
