//! Buckets: findings of one client with the same signature and dimensions, over all runs and seeds
//! of a store.

use std::collections::BTreeSet;

use inverter::solve::Choices;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{Batch, Store, StoreError, from_json};
use campaign::oracle::{DifferenceKind, Outcome, Signature};
use campaign::{Cause, CauseForm, Depth, pack};
use clients::message::shape;
use equivalents::subject::Class;

/// The confidence in the causes of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BucketKind {
    /// Reduced to the dimensions that cause it.
    Reduced,
    /// Not reproducible.
    Flaky,
    /// Not reduced: several choices at once.
    Unreduced,
}

impl BucketKind {
    /// Returns the kind of a cause that was reduced to this extent.
    pub fn of(depth: Depth) -> Self {
        match depth {
            Depth::Minimal | Depth::Partly => Self::Reduced,
            Depth::Flaky => Self::Flaky,
            Depth::Not => Self::Unreduced,
        }
    }
}

/// The key of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BucketKey {
    /// The client's name.
    pub client: String,
    /// The client's outcome.
    pub outcome: Outcome,
    /// The family of a wrong picture's kind of difference; `None` if unknown, as in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceKind>,
    /// The confidence in the cause.
    pub kind: BucketKind,
    /// The dimensions of the cause, sorted. Empty for a cause that the re-encoded seed itself shows.
    pub dimensions: Vec<String>,
    /// The name of the format of its files; empty for TIFF, the only format in nights of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub format: String,
}

impl BucketKey {
    /// Returns the key of a cause of `client` in files of `format`.
    pub fn of(client: &str, format: &str, cause: &Cause) -> Self {
        // They are sorted so that equal sets compare as equal whatever the order of the seed's dimensions.
        let mut dimensions = cause.dimensions.clone();
        dimensions.sort_unstable();
        Self {
            client: client.to_owned(),
            outcome: cause.outcome,
            difference: cause.difference.map(DifferenceKind::family),
            kind: BucketKind::of(cause.depth),
            dimensions,
            format: format.to_owned(),
        }
    }

    /// Returns ` (bmp)`, for lines on a finding; empty for TIFF.
    pub fn format_bracket(&self) -> String {
        if self.format.is_empty() { String::new() } else { format!(" ({})", self.format) }
    }

    /// Returns the outcome with the kind of difference.
    pub fn signature(&self) -> Signature {
        Signature { difference: self.difference, ..self.outcome.into() }
    }

    /// Returns the key without the kind of difference, as in versions that did not record it. It represents all kinds.
    #[must_use]
    pub fn of_any_kind(&self) -> BucketKey {
        BucketKey { difference: None, ..self.clone() }
    }

    /// Returns true if the example of this bucket now has a better outcome, `now`: a crash became a refusal or a wrong
    /// picture, or a wrong picture became a refusal.
    pub fn is_gone(&self, now: Outcome) -> bool {
        match (self.outcome, now) {
            (then, Outcome::Refused) => then != Outcome::Refused,
            (
                Outcome::Crash | Outcome::Hang | Outcome::Resource | Outcome::Extra(_),
                Outcome::Wrong,
            ) => true,
            (then, Outcome::Wrong) => then.is_cost(),
            _ => false,
        }
    }

    /// Returns true if this bucket may explain all of `other`: it has the same signature, or one that reduction allows,
    /// and fewer dimensions.
    pub fn implies(&self, other: &BucketKey) -> bool {
        let reduced = |key: &BucketKey| key.kind == BucketKind::Reduced;
        let unknown = self.difference.is_none() || other.difference.is_none();
        (&self.client, &self.format, self.outcome) == (&other.client, &other.format, other.outcome)
            && (unknown || other.signature().allows(self.signature()))
            && (reduced(self) && reduced(other))
            && self.dimensions.len() < other.dimensions.len()
            && self.dimensions.iter().all(|d| other.dimensions.contains(d))
    }
}

/// The values with which a bucket was seen on one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// The value classes of its dimensions: `compression = LZW`.
    pub classes: String,
    /// All choices of one file that differ from those of the file from which variants derive.
    pub choices: Choices,
    /// The SHA-256 of the run's seed file, in hexadecimal.
    pub seed_sha256: String,
    /// The name of the run's seed file.
    pub seed_file: String,
    /// The time of the last run in which it was seen with these values on this seed (RFC 3339); empty
    /// in reports of older versions.
    #[serde(default)]
    pub last: String,
}

impl Form {
    /// Returns true if both have the same values and seed.
    pub fn is_like(&self, other: &Form) -> bool {
        (&self.classes, &self.seed_sha256) == (&other.classes, &other.seed_sha256)
    }
}

/// The run in which a finding was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The run's row in its store.
    pub run: i64,
    /// The time at which that run began (RFC 3339).
    pub at: String,
    /// The client's version; empty if unknown.
    pub version: String,
}

/// The simplest file that shows a bucket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// Its bytes.
    #[serde(with = "pack::bytes")]
    pub file: Vec<u8>,
    /// The seed file of a smaller picture to which its choices refer; `None` for the seed of the run.
    #[serde(with = "pack::maybe_bytes")]
    pub seed: Option<Vec<u8>>,
    /// Its choices.
    pub choices: Choices,
    /// The name of the run's seed file.
    pub seed_file: String,
    /// The SHA-256 of that file, in hexadecimal.
    pub seed_sha256: String,
    /// The cause in words.
    pub title: String,
    /// The client's message.
    pub message: String,
}

/// Findings of one client in files of one format, with the same signature and dimensions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// Their common key.
    pub key: BucketKey,
    /// The lowest class of their files: one that most readers must accept.
    pub class: Class,
    /// The number of variants that showed it, in all runs.
    pub count: usize,
    /// The number of runs.
    pub runs: usize,
    /// The first sighting.
    pub first: Sighting,
    /// The last sighting.
    pub last: Sighting,
    /// The smallest file that shows it, among those of the lowest class.
    pub example: Example,
    /// The files with which it was seen, a few for each value class and seed. Older stores have none.
    pub forms: Vec<Form>,
    /// The [shapes](shape) of the messages with which it was seen.
    pub messages: BTreeSet<String>,
    /// True if all of its causes are limits rather than faults. Older stores do not record this.
    #[serde(default)]
    pub limit: bool,
    /// The index in the list of a bucket that may explain this one because it has the same outcome with fewer
    /// dimensions.
    pub implied_by: Option<usize>,
}

/// The runs to consider.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// All runs of the store.
    All,
    /// The runs whose findings were reported: those of other finished batches, and all runs of `fuzz`.
    Reported(&'a Batch),
    /// The runs whose findings were not reported: those of this batch and of unfinished nights.
    Unreported(&'a Batch),
}

struct Occurrence {
    row: (i64, i64),
    key: BucketKey,
    class: Class,
    count: usize,
    size: i64,
    sighting: Sighting,
    forms: Vec<Form>,
    message: String,
    limit: bool,
}

/// Reads the kind of difference in a column.
pub(super) fn difference(word: &str) -> Result<Option<DifferenceKind>, StoreError> {
    (!word.is_empty()).then(|| from_json(&format!("\"{word}\""))).transpose()
}

/// The maximum number of files of a bucket for each value class and seed.
const FORMS: usize = 4;

/// Reads the value classes in a column; empty if it is null, as in older stores.
fn forms(packed: Option<Vec<u8>>, seed_sha256: &str, file: &str) -> Result<Vec<Form>, StoreError> {
    let Some(packed) = packed else { return Ok(Vec::new()) };
    let text = pack::unpack(&packed).map_err(|error| StoreError::Damaged(error.to_string()))?;
    let forms: Vec<CauseForm> = from_json(&String::from_utf8_lossy(&text))?;
    let form = |CauseForm { classes, choices }| {
        let (seed_sha256, seed_file) = (seed_sha256.to_owned(), file.to_owned());
        Form { classes, choices, seed_sha256, seed_file, last: String::new() }
    };
    Ok(forms.into_iter().map(form).collect())
}

impl Store {
    /// Returns the buckets of the runs in `scope`, sorted by outcome (worst first), then by class (lowest first).
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn buckets(&self, scope: Scope<'_>) -> Result<Vec<Bucket>, StoreError> {
        let mut groups: std::collections::BTreeMap<BucketKey, Vec<Occurrence>> = Default::default();
        for seen in self.seen(scope)? {
            groups.entry(seen.key.clone()).or_default().push(seen);
        }
        let mut buckets = Vec::new();
        for (key, seen) in groups {
            buckets.push(self.bucket(key, &seen)?);
        }
        buckets.sort_by_cached_key(|b| {
            let BucketKey { client, outcome, difference, kind, dimensions, format } = b.key.clone();
            (outcome, b.class, kind, dimensions.len(), client, dimensions, difference, format)
        });
        let keys: Vec<BucketKey> = buckets.iter().map(|b| b.key.clone()).collect();
        for bucket in &mut buckets {
            // Takes the bucket with the fewest dimensions.
            let smaller = (0..keys.len()).filter(|k| keys[*k].implies(&bucket.key));
            bucket.implied_by = smaller.min_by_key(|k| keys[*k].dimensions.len());
        }
        Ok(buckets)
    }

    fn seen(&self, scope: Scope<'_>) -> Result<Vec<Occurrence>, StoreError> {
        let unreported = "(b.id = ?1 OR (b.kind = 'nightly' AND b.state <> 'closed'))";
        let (batch, filter) = match scope {
            Scope::All => (0, "?1 = 0".to_owned()),
            Scope::Reported(batch) => (batch.id, format!("NOT {unreported}")),
            Scope::Unreported(batch) => (batch.id, unreported.to_owned()),
        };
        self.with(|conn| {
            let mut find = conn.prepare(&format!(
                "SELECT c.run, c.place, l.name, l.version, l.command, c.outcome, c.kind, \
                 c.dimensions, c.class, c.count, c.size, r.started, c.difference, c.forms, \
                 r.seed_sha256, r.seed_file, c.message, c.is_limit, r.format FROM cause c \
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
                    difference: difference(&text(12)?)?,
                    kind: from_json(&quoted(6)?)?,
                    dimensions: from_json(&text(7)?)?,
                    format: text(18)?,
                };
                all.push(Occurrence {
                    row: (run, row.get(1)?),
                    key,
                    class: from_json(&quoted(8)?)?,
                    count: row.get::<_, i64>(9)?.unsigned_abs() as usize,
                    size: row.get(10)?,
                    sighting: Sighting { run, at: text(11)?, version: text(3)? },
                    forms: forms(row.get(13)?, &text(14)?, &text(15)?)?,
                    message: text(16)?,
                    limit: row.get(17)?,
                });
            }
            Ok(all)
        })
    }

    /// Builds the bucket of `seen`, which is in chronological order and not empty.
    fn bucket(&self, key: BucketKey, seen: &[Occurrence]) -> Result<Bucket, StoreError> {
        let (Some(first), Some(last)) = (seen.first(), seen.last()) else {
            return Err(StoreError::Damaged("a bucket without findings".to_owned()));
        };
        let class = seen.iter().map(|s| s.class).min().unwrap_or(last.class);
        let of_class = seen.iter().filter(|s| s.class == class);
        // Take the first of equal examples, because the example should change only for a better one.
        let row = of_class.min_by_key(|s| s.size).map_or(last.row, |s| s.row);
        let mut forms: Vec<Form> = Vec::new();
        for (form, at) in
            seen.iter().flat_map(|s| s.forms.iter().map(|form| (form, &s.sighting.at)))
        {
            let (mut alike, mut has) = (0, false);
            for known in forms.iter_mut().filter(|known| known.is_like(form)) {
                known.last.clone_from(at);
                alike += 1;
                has |= known.choices == form.choices && known.seed_file == form.seed_file;
            }
            // One night has only a few forms; later ones are not needed.
            if alike < FORMS && !has {
                forms.push(Form { last: at.clone(), ..form.clone() });
            }
        }
        let mut runs: Vec<i64> = seen.iter().map(|s| s.sighting.run).collect();
        runs.dedup();
        Ok(Bucket {
            class,
            count: seen.iter().map(|s| s.count).sum(),
            runs: runs.len(),
            first: first.sighting.clone(),
            last: last.sighting.clone(),
            example: self.example(row)?,
            forms,
            messages: seen.iter().map(|s| shape(&s.message)).collect(),
            limit: seen.iter().all(|s| s.limit),
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
