//! Findings of one client that come to the same, over all runs and seeds of a store.

use inverter::solve::Choices;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{Batch, Store, StoreError, from_json};
use crate::campaign::pack;
use crate::oracle::Outcome;
use crate::subject::Class;

/// How far the causes of a bucket are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BucketKind {
    /// Reduced to the dimensions that it takes.
    Reduced,
    /// Not the same each time.
    Flaky,
    /// Not reduced: several choices at once.
    Unreduced,
}

/// What tells one bucket from others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BucketKey {
    /// The client's name.
    pub client: String,
    /// What it does.
    pub outcome: Outcome,
    /// How far that is known.
    pub kind: BucketKind,
    /// The dimensions that it takes, sorted. None of a reduced one: the seed written anew.
    pub dimensions: Vec<String>,
}

impl BucketKey {
    /// Whether what this bucket shows may be all that `other` shows: the same outcome with
    /// fewer dimensions.
    pub fn implies(&self, other: &BucketKey) -> bool {
        let reduced = |key: &BucketKey| key.kind == BucketKind::Reduced;
        (&self.client, self.outcome) == (&other.client, other.outcome)
            && (reduced(self) && reduced(other))
            && self.dimensions.len() < other.dimensions.len()
            && self.dimensions.iter().all(|d| other.dimensions.contains(d))
    }
}

/// When something was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The run's row in its store.
    pub run: i64,
    /// When that run began (RFC 3339).
    pub at: String,
    /// The client's version; empty if unknown.
    pub version: String,
}

/// The simplest file that shows a bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Its bytes.
    pub file: Vec<u8>,
    /// The seed file of a smaller picture that its choices belong to; `None` for the run's own.
    pub seed: Option<Vec<u8>>,
    /// Its choices.
    pub choices: Choices,
    /// The name of the run's seed file.
    pub seed_file: String,
    /// The SHA-256 of that file, in hexadecimal.
    pub seed_sha256: String,
    /// The cause in words.
    pub title: String,
    /// The client's own words.
    pub message: String,
}

/// Findings of one client with the same outcome and dimensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    /// What they have in common.
    pub key: BucketKey,
    /// The least class of their files: what most readers must take.
    pub class: Class,
    /// How many variants showed it, in all runs.
    pub count: usize,
    /// In how many runs.
    pub runs: usize,
    /// The first time.
    pub first: Sighting,
    /// The last time.
    pub last: Sighting,
    /// The smallest file that shows it, of those of the least class.
    pub example: Example,
    /// The bucket's place in the list, of which this may be another sight: the same outcome
    /// with fewer dimensions.
    pub implied_by: Option<usize>,
}

/// Which runs to look at.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// All of the store.
    All,
    /// Those whose findings have been told: of other batches that came to their end, and all
    /// of `fuzz`.
    Told(&'a Batch),
    /// Those whose findings have not: of this batch, and of nights that did not come to
    /// their end.
    Untold(&'a Batch),
}

struct Seen {
    row: (i64, i64),
    key: BucketKey,
    class: Class,
    count: usize,
    size: i64,
    sighting: Sighting,
}

impl Store {
    /// The buckets of the runs in `scope`: worst outcome first, then those that readers
    /// must take.
    ///
    /// # Errors
    ///
    /// What the database says.
    pub fn buckets(&self, scope: Scope<'_>) -> Result<Vec<Bucket>, StoreError> {
        let mut groups: std::collections::BTreeMap<BucketKey, Vec<Seen>> = Default::default();
        for seen in self.seen(scope)? {
            groups.entry(seen.key.clone()).or_default().push(seen);
        }
        let mut buckets = Vec::new();
        for (key, seen) in groups {
            buckets.push(self.bucket(key, &seen)?);
        }
        buckets.sort_by_cached_key(|b| {
            let BucketKey { client, outcome, kind, dimensions } = b.key.clone();
            (outcome, b.class, kind, dimensions.len(), client, dimensions)
        });
        let keys: Vec<BucketKey> = buckets.iter().map(|b| b.key.clone()).collect();
        for bucket in &mut buckets {
            // The one with the fewest dimensions.
            let smaller = (0..keys.len()).filter(|k| keys[*k].implies(&bucket.key));
            bucket.implied_by = smaller.min_by_key(|k| keys[*k].dimensions.len());
        }
        Ok(buckets)
    }

    fn seen(&self, scope: Scope<'_>) -> Result<Vec<Seen>, StoreError> {
        let untold = "(b.id = ?1 OR (b.kind = 'nightly' AND b.state <> 'closed'))";
        let (batch, filter) = match scope {
            Scope::All => (0, "?1 = 0".to_owned()),
            Scope::Told(batch) => (batch.id, format!("NOT {untold}")),
            Scope::Untold(batch) => (batch.id, untold.to_owned()),
        };
        self.with(|conn| {
            let mut find = conn.prepare(&format!(
                "SELECT c.run, c.place, l.name, l.version, l.command, c.outcome, c.kind, \
                 c.dimensions, c.class, c.count, c.size, r.started FROM cause c \
                 JOIN client l ON l.id = c.client JOIN run r ON r.id = c.run \
                 JOIN batch b ON b.id = r.batch WHERE {filter} ORDER BY r.started, b.uid, r.place, c.place"
            ))?;
            let mut rows = find.query([batch])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let text = |k: usize| row.get::<_, String>(k);
                let quoted = |k: usize| text(k).map(|word| format!("\"{word}\""));
                let (run, client) = (row.get(0)?, text(2)?);
                let key = BucketKey {
                    client,
                    outcome: from_json(&quoted(5)?)?,
                    kind: from_json(&quoted(6)?)?,
                    dimensions: from_json(&text(7)?)?,
                };
                all.push(Seen {
                    row: (run, row.get(1)?),
                    key,
                    class: from_json(&quoted(8)?)?,
                    count: row.get::<_, i64>(9)?.unsigned_abs() as usize,
                    size: row.get(10)?,
                    sighting: Sighting { run, at: text(11)?, version: text(3)? },
                });
            }
            Ok(all)
        })
    }

    /// The bucket of `seen`, which are in the order of time, at least one.
    fn bucket(&self, key: BucketKey, seen: &[Seen]) -> Result<Bucket, StoreError> {
        let (Some(first), Some(last)) = (seen.first(), seen.last()) else {
            return Err(StoreError::Damaged("a bucket without findings".to_owned()));
        };
        let class = seen.iter().map(|s| s.class).min().unwrap_or(last.class);
        let of_class = seen.iter().filter(|s| s.class == class);
        // Of equal ones the first: what is shown changes only for something better.
        let row = of_class.min_by_key(|s| s.size).map_or(last.row, |s| s.row);
        let mut runs: Vec<i64> = seen.iter().map(|s| s.sighting.run).collect();
        runs.dedup();
        Ok(Bucket {
            class,
            count: seen.iter().map(|s| s.count).sum(),
            runs: runs.len(),
            first: first.sighting.clone(),
            last: last.sighting.clone(),
            example: self.example(row)?,
            implied_by: None,
            key,
        })
    }

    fn example(&self, (run, place): (i64, i64)) -> Result<Example, StoreError> {
        self.with(|conn| {
            let find = "SELECT c.file, c.choices, r.seed_file, r.seed_sha256, c.title, c.message, \
                        c.seed FROM cause c JOIN run r ON r.id = c.run WHERE c.run = ? AND c.place = ?";
            let mut find = conn.prepare_cached(find)?;
            let mut rows = find.query(params![run, place])?;
            let row = rows.next()?.ok_or_else(|| StoreError::Damaged("no such cause".into()))?;
            let open =
                |packed: Vec<u8>| pack::unpack(&packed).map_err(|e| StoreError::Damaged(e.to_string()));
            Ok(Example {
                file: open(row.get(0)?)?,
                seed: row.get::<_, Option<_>>(6)?.map(open).transpose()?,
                choices: from_json(&row.get::<_, String>(1)?)?,
                seed_file: row.get(2)?,
                seed_sha256: row.get(3)?,
                title: row.get(4)?,
                message: row.get(5)?,
            })
        })
    }
}
