//! The findings that people accepted: they are no news.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::value::Datetime;

use super::error::{FileError, in_line};
use crate::oracle::Outcome;
use crate::store::{Bucket, BucketKey, BucketKind};

/// The version of the file that this program reads and writes.
const VERSION: i64 = 1;

/// What the file says above all else.
const HEAD: &str = "\
# Findings that are no news to `repfuzz nightly`. `repfuzz nightly --accept` adds those of the
# last night and takes out what is fixed. Reasons and dates may be changed by hand: `until` is
# the last day on which a finding is accepted.

";

/// A finding that is accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The client's name.
    pub client: String,
    /// What it does.
    pub outcome: Outcome,
    /// How far the cause is known.
    #[serde(default = "reduced")]
    pub kind: BucketKind,
    /// The dimensions that it takes.
    pub dimensions: Vec<String>,
    /// The cause in words, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Why it is accepted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The last day on which it is.
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
            kind: self.kind,
            dimensions,
        }
    }

    /// The last day, as `2026-11-22`.
    pub fn last_day(&self) -> Option<String> {
        self.until.map(|until| until.to_string().chars().take(10).collect())
    }

    /// Whether it holds on this day.
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

/// All findings that are accepted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accepted(BTreeMap<BucketKey, Acceptance>);

impl Accepted {
    /// Reads the file; one that is not there accepts nothing.
    ///
    /// # Errors
    ///
    /// [`FileError`]: of another version, too.
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
        // The version first: another one may have other keys.
        let table: toml::Table = toml::from_str(text).map_err(|error| in_line(text, &error))?;
        match table.get("version").and_then(toml::Value::as_integer) {
            Some(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "its version is {version}, and this repfuzz knows {VERSION}; use the repfuzz \
                     that wrote it, or write it anew with --accept after moving it away"
                ));
            }
            None => return Err(format!("it has no version; it should say `version = {VERSION}`")),
        }
        let document: Document = toml::from_str(text).map_err(|error| in_line(text, &error))?;
        let all = document.accepted.into_iter().map(|one| (one.key(), one));
        let all: BTreeMap<_, _> = all.collect();
        for one in all.values() {
            if one.until.is_some_and(|until| until.date.is_none()) {
                return Err(format!("until of {}: it must be a day: 2026-12-31", one.client));
            }
        }
        Ok(Self(all))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    ///
    /// What cannot be written.
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

    /// What is accepted of a bucket.
    pub fn get(&self, key: &BucketKey) -> Option<&Acceptance> {
        self.0.get(key)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&BucketKey, &Acceptance)> {
        self.0.iter()
    }

    /// Accepts `bucket`; what was said of it before stays, but for a day that is over.
    pub fn accept(&mut self, bucket: &Bucket, reason: &str, until: Option<Datetime>, day: &str) {
        let known = self.0.get(&bucket.key).filter(|known| known.holds(day));
        if known.is_some() {
            return;
        }
        let BucketKey { client, outcome, kind, dimensions } = bucket.key.clone();
        let title = bucket.example.title.clone();
        let reason = reason.to_owned();
        let one = Acceptance { client, outcome, kind, dimensions, title, reason, until };
        self.0.insert(bucket.key.clone(), one);
    }

    /// Accepts this no longer.
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
    fn other_versions_and_slips_are_told_in_one_line() {
        for (text, part) in [
            ("version = 2", "its version is 2, and this repfuzz knows 1"),
            ("version = 0\nold = 3", "its version is 0"),
            ("accepted = []", "it has no version"),
            ("version = 1\n[[accepted]]\nclient = 'a'", "line 2: missing field"),
            ("version = 1\nx = 2", "line 2: unknown field `x`"),
            (&TEXT.replace("wrong", "bad"), "line 4: unknown variant `bad`"),
            (&TEXT.replace("2026-12-31", "12:00:00"), "until of a: it must be a day"),
            ("version", "line 1"),
        ] {
            let error = Accepted::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    }
}
