//! The findings that people accepted: they are not reported as new.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::value::Datetime;

use super::error::{FileError, in_line};
use crate::oracle::{DifferenceKind, Outcome};
use crate::store::{Bucket, BucketKey, BucketKind};

/// The supported version of the file.
const VERSION: i64 = 1;

/// The comment at the top of the file.
const HEAD: &str = "\
# Findings that `repfuzz nightly` does not report as new. `repfuzz nightly --accept` adds those of
# the last night and removes fixed ones. Reasons and dates may be edited by hand: `until` is the
# last day on which a finding is accepted.

";

/// An accepted finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The client's name.
    pub client: String,
    /// The client's outcome.
    pub outcome: Outcome,
    /// The kind of difference of a wrong picture; `None` accepts all kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceKind>,
    /// The confidence in the cause.
    #[serde(default = "reduced")]
    pub kind: BucketKind,
    /// The dimensions of the cause.
    pub dimensions: Vec<String>,
    /// The cause in words, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The reason for accepting it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The last day on which it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
}

fn reduced() -> BucketKind {
    BucketKind::Reduced
}

impl Acceptance {
    /// The bucket that is accepted.
    pub fn key(&self) -> BucketKey {
        let mut dimensions = self.dimensions.clone();
        dimensions.sort_unstable();
        BucketKey {
            client: self.client.clone(),
            outcome: self.outcome,
            difference: self.difference,
            kind: self.kind,
            dimensions,
        }
    }

    /// The last day, such as `2026-11-22`.
    pub fn last_day(&self) -> Option<String> {
        self.until.map(|until| until.to_string().chars().take(10).collect())
    }

    /// Returns true if it applies on this day.
    pub fn holds(&self, day: &str) -> bool {
        self.last_day().is_none_or(|last| day <= last.as_str())
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: i64,
    #[serde(default)]
    accepted: Vec<Acceptance>,
}

/// All accepted findings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accepted(BTreeMap<BucketKey, Acceptance>);

impl Accepted {
    /// Reads the file; a missing file accepts nothing.
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`], also for another version.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(FileError::io(path, error)),
        };
        Self::parse(&text).map_err(|why| FileError::wrong(path, why))
    }

    fn parse(text: &str) -> Result<Self, String> {
        // Check the version first: other versions may have other keys.
        let table: toml::Table = toml::from_str(text).map_err(|error| in_line(text, &error))?;
        match table.get("version").and_then(toml::Value::as_integer) {
            Some(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "unsupported version {version}, expected {VERSION}; use the repfuzz that wrote it, \
                     or move the file away and recreate it with --accept"
                ));
            }
            None => return Err(format!("missing version; expected `version = {VERSION}`")),
        }
        let document: Document = toml::from_str(text).map_err(|error| in_line(text, &error))?;
        let all = document.accepted.into_iter().map(|one| (one.key(), one));
        let all: BTreeMap<_, _> = all.collect();
        for one in all.values() {
            if one.until.is_some_and(|until| until.date.is_none()) {
                return Err(format!("until of {}: must be a day such as 2026-12-31", one.client));
            }
        }
        Ok(Self(all))
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    ///
    /// Returns an error that names the file.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let about = |error| FileError::io(path, error);
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let mut file =
            tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(about)?;
        std::io::Write::write_all(&mut file, self.text().as_bytes()).map_err(about)?;
        file.persist(path).map_err(|error| about(error.error))?;
        Ok(())
    }

    fn text(&self) -> String {
        let document = Document { version: VERSION, accepted: self.0.values().cloned().collect() };
        format!("{HEAD}{}", toml::to_string(&document).unwrap_or_default())
    }

    /// Looks up the acceptance of a bucket: its own, or that of all kinds of difference.
    pub fn get(&self, key: &BucketKey) -> Option<&Acceptance> {
        self.0.get(key).or_else(|| self.0.get(&key.of_any_kind()))
    }

    /// Iterates over all accepted findings.
    pub fn iter(&self) -> impl Iterator<Item = (&BucketKey, &Acceptance)> {
        self.0.iter()
    }

    /// Accepts `bucket`. An existing acceptance is kept unless it has expired.
    pub fn accept(&mut self, bucket: &Bucket, reason: &str, until: Option<Datetime>, day: &str) {
        let known = self.get(&bucket.key).filter(|known| known.holds(day));
        if known.is_some() {
            return;
        }
        let BucketKey { client, outcome, difference, kind, dimensions } = bucket.key.clone();
        let title = bucket.example.title.clone();
        let reason = reason.to_owned();
        let one =
            Acceptance { client, outcome, difference, kind, dimensions, title, reason, until };
        self.0.insert(bucket.key.clone(), one);
    }

    /// Removes an acceptance.
    pub fn forget(&mut self, key: &BucketKey) {
        self.0.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version = 1\n[[accepted]]\nclient = 'a'\noutcome = 'wrong'\n\
                        dimensions = ['y', 'x']\nreason = 'known bug'\nuntil = 2026-12-31\n";

    #[test]
    fn what_is_written_is_read_again() {
        let accepted = Accepted::parse(TEXT).unwrap();
        assert_eq!(Accepted::parse(&accepted.text()).unwrap(), accepted);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        assert_eq!(Accepted::read(&path).unwrap(), Accepted::default());
        accepted.write(&path).unwrap();
        assert_eq!(Accepted::read(&path).unwrap(), accepted);
    }

    #[test]
    fn a_day_is_the_last_one() {
        let accepted = Accepted::parse(TEXT).unwrap();
        let (key, one) = accepted.iter().next().unwrap();
        assert_eq!(key.dimensions, ["x", "y"]);
        assert!(one.holds("2026-12-31") && !one.holds("2027-01-01"));
    }

    #[test]
    fn other_versions_and_slips_are_reported_in_one_line() {
        for (text, part) in [
            ("version = 2", "unsupported version 2, expected 1"),
            ("version = 0\nold = 3", "unsupported version 0"),
            ("accepted = []", "missing version"),
            ("version = 1\n[[accepted]]\nclient = 'a'", "line 2: missing field"),
            ("version = 1\nx = 2", "line 2: unknown field `x`"),
            (&TEXT.replace("wrong", "bad"), "line 4: unknown variant `bad`"),
            (&TEXT.replace("2026-12-31", "12:00:00"), "until of a: must be a day"),
            ("version", "line 1"),
        ] {
            let error = Accepted::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    }
}
