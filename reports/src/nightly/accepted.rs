//! The findings and losses of coverage that people accepted. They do not make a run or a night fail.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::value::Datetime;

use super::error::{FileError, in_line};
use crate::files::replace;
use crate::report::one_line;
use crate::store::{BucketKey, BucketKind};
use campaign::Run;
use campaign::oracle::{DifferenceKind, Outcome};

/// The default name of the file.
pub const ACCEPTED: &str = "repfuzz-accepted.toml";

/// The supported version of the file.
const VERSION: i64 = 1;

/// The comment at the top of the file.
const HEAD: &str = "\
# Findings and losses of coverage for which `repfuzz fuzz` and `repfuzz nightly` do not fail. `repfuzz accept`
# adds a cause; `repfuzz nightly --accept` adds those of the last night and removes what is fixed. Reasons,
# days and versions may be edited by hand: `until` is the last day on which something is accepted, `version`
# the only version of the client for which a finding is.

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
    /// The format of its files; empty for TIFF.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub format: String,
    /// The cause in words, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The reason for accepting it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The last day on which it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
    /// The only version of the client for which the finding is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// An accepted loss of coverage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedLoss {
    /// The client's name; `None` stands for all clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The seed, as in the report; `None` stands for all seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The reason for accepting it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The last day on which it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
}

/// The date of a last day, such as `2026-11-22`.
fn day_of(until: Option<Datetime>) -> Option<String> {
    until.map(|until| until.to_string().chars().take(10).collect())
}

/// Returns true unless the acceptance expires before `day`.
fn lasts(until: Option<Datetime>, day: &str) -> bool {
    day_of(until).is_none_or(|last| day <= last.as_str())
}

/// `accepted`, with its terms and its reason, in one line.
fn accepted_words(terms: &[String], reason: &str) -> String {
    let mut text = "accepted".to_owned();
    terms.iter().for_each(|term| text.push_str(&format!(" {term}")));
    let reason = one_line(reason);
    if reason.is_empty() { text } else { format!("{text}: {reason}") }
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
            format: self.format.clone(),
        }
    }

    /// Returns the reason why it no longer applies on this day to this version of the client (if the version is known).
    pub fn expired(&self, day: &str, version: Option<&str>) -> Option<String> {
        if !lasts(self.until, day) {
            return Some(format!("accepted only until {}", day_of(self.until)?));
        }
        match (&self.version, version) {
            (Some(accepted), Some(now)) if accepted != now => {
                Some(format!("accepted only for version {accepted:?}, and it is {now:?} now"))
            }
            _ => None,
        }
    }

    /// Describes the finding in a line.
    pub fn finding(&self) -> String {
        let what =
            if self.title.is_empty() { self.dimensions.join(", ") } else { self.title.clone() };
        let key = self.key();
        one_line(&format!("{}: {}, {what}{}", self.client, key.signature(), key.format_bracket()))
    }

    /// Returns a phrase: `accepted until 2026-12-31: known bug`.
    pub fn words(&self) -> String {
        let until = day_of(self.until).map(|day| format!("until {day}"));
        let version = self.version.as_ref().map(|version| format!("for version {version:?}"));
        accepted_words(&until.into_iter().chain(version).collect::<Vec<_>>(), &self.reason)
    }
}

impl AcceptedLoss {
    /// Returns a phrase such as `accepted: no such machine` if it covers this loss on this day.
    pub fn covers(&self, client: Option<&str>, seed: Option<&str>, day: &str) -> Option<String> {
        let fits = |accepted: &Option<String>, lost: Option<&str>| {
            accepted.is_none() || accepted.as_deref() == lost
        };
        if !(fits(&self.client, client) && fits(&self.seed, seed) && lasts(self.until, day)) {
            return None;
        }
        let until = day_of(self.until).map(|day| format!("until {day}"));
        Some(accepted_words(&until.into_iter().collect::<Vec<_>>(), &self.reason))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: i64,
    #[serde(default)]
    accepted: Vec<Acceptance>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lost: Vec<AcceptedLoss>,
}

/// Everything that is accepted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accepted {
    findings: BTreeMap<BucketKey, Acceptance>,
    losses: Vec<AcceptedLoss>,
}

/// The terms of an acceptance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Terms {
    /// The reason.
    pub reason: String,
    /// The last day.
    pub until: Option<Datetime>,
    /// True if the acceptance holds only for the version in which the finding was last seen.
    pub this_version: bool,
    /// True if these terms also replace those of earlier acceptances.
    pub renew: bool,
}

/// The effect of the terms on one finding or loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It is accepted on these terms.
    Accepted,
    /// It was accepted before, and keeps its terms.
    Kept,
}

impl Accepted {
    /// Reads the file; a missing file accepts nothing.
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`] if the file cannot be read, is invalid, or has another version.
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
        if document.lost.iter().any(|one| one.client.is_none() && one.seed.is_none()) {
            return Err("lost: name a client or a seed".to_owned());
        }
        let lost = |one: &AcceptedLoss| (one.client.clone().unwrap_or_default(), one.until);
        let findings = all.values().map(|one| (one.client.clone(), one.until));
        for (client, until) in findings.chain(document.lost.iter().map(lost)) {
            if until.is_some_and(|until| until.date.is_none()) {
                return Err(format!("until of {client}: must be a day such as 2026-12-31"));
            }
        }
        Ok(Self { findings: all, losses: document.lost })
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    ///
    /// Returns an error that names the file.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        replace(path, self.text()).map_err(FileError::Named)
    }

    fn text(&self) -> String {
        let document = Document {
            version: VERSION,
            accepted: self.findings.values().cloned().collect(),
            lost: self.losses.clone(),
        };
        format!("{HEAD}{}", toml::to_string(&document).unwrap_or_default())
    }

    /// Looks up the acceptance of a bucket: the one for its kind of difference, or the one for all kinds.
    pub fn get(&self, key: &BucketKey) -> Option<&Acceptance> {
        self.findings.get(key).or_else(|| self.findings.get(&key.of_any_kind()))
    }

    /// Iterates over all accepted findings.
    pub fn iter(&self) -> impl Iterator<Item = (&BucketKey, &Acceptance)> + Clone {
        self.findings.iter()
    }

    /// Returns a phrase if this loss is accepted on this day.
    pub fn loss(&self, client: Option<&str>, seed: Option<&str>, day: &str) -> Option<String> {
        self.losses.iter().find_map(|one| one.covers(client, seed, day))
    }

    /// Accepts `losses` (pairs of a client and a seed), and drops all that were accepted before. Returns how many keep
    /// their terms.
    pub fn accept_losses(
        &mut self,
        losses: impl Iterator<Item = (Option<String>, Option<String>)>,
        terms: &Terms,
        day: &str,
    ) -> usize {
        let mut kept = 0;
        let before = std::mem::take(&mut self.losses);
        // The loss of a missing part cannot be accepted for more than one night.
        for (client, seed) in losses.filter(|(client, seed)| client.is_some() || seed.is_some()) {
            let fits =
                |one: &&AcceptedLoss| one.covers(client.as_deref(), seed.as_deref(), day).is_some();
            let (reason, until) = (terms.reason.clone(), terms.until);
            let one = match before.iter().find(fits).filter(|_| !terms.renew) {
                Some(known) => {
                    kept += 1;
                    known.clone()
                }
                None => AcceptedLoss { client, seed, reason, until },
            };
            if !self.losses.contains(&one) {
                self.losses.push(one);
            }
        }
        kept
    }

    /// The number of accepted losses.
    pub fn loss_count(&self) -> usize {
        self.losses.len()
    }

    /// Marks the causes of `run` that are accepted on this day, and adds their keys to `met`. Returns a line for each
    /// acceptance that has expired.
    pub fn apply(&self, run: &mut Run, day: &str, met: &mut BTreeSet<BucketKey>) -> Vec<String> {
        let mut expired = Vec::new();
        run.accepted.clear();
        for (place, cause) in run.causes.iter().enumerate().filter(|(_, cause)| cause.is_fault()) {
            let client = &run.clients[cause.client];
            let Some(one) = self.get(&BucketKey::of(&client.name, &run.about.format, cause)) else {
                continue;
            };
            met.insert(one.key());
            let version = Some(client.version.as_str()).filter(|version| !version.is_empty());
            match one.expired(day, version) {
                Some(why) => expired.push(format!("{}: {why}", one.finding())),
                None => drop(run.accepted.insert(place, one.words())),
            }
        }
        expired
    }

    /// Describes the acceptances for these `clients` that were not `met`.
    pub fn unused(&self, met: &BTreeSet<BucketKey>, clients: &[&str]) -> Vec<String> {
        let of = |one: &&Acceptance| clients.contains(&one.client.as_str());
        let unused = self.findings.values().filter(of).filter(|one| !met.contains(&one.key()));
        unused.map(|one| format!("{}, {}", one.finding(), one.words())).collect()
    }

    /// Accepts the findings of `key` in this `version` of the client. Keeps an existing acceptance unless it has
    /// expired or is renewed.
    pub fn accept(
        &mut self,
        key: &BucketKey,
        title: &str,
        version: Option<&str>,
        terms: &Terms,
        day: &str,
    ) -> Effect {
        let known = self.get(key).filter(|known| known.expired(day, version).is_none());
        if known.is_some() && !terms.renew {
            return Effect::Kept;
        }
        let BucketKey { client, outcome, difference, kind, dimensions, format } = key.clone();
        let title = title.to_owned();
        let (reason, until) = (terms.reason.clone(), terms.until);
        let version = version.filter(|_| terms.this_version).map(str::to_owned);
        self.findings.insert(
            key.clone(),
            Acceptance {
                client,
                outcome,
                difference,
                kind,
                dimensions,
                format,
                title,
                reason,
                until,
                version,
            },
        );
        Effect::Accepted
    }

    /// Removes an acceptance.
    pub fn forget(&mut self, key: &BucketKey) {
        self.findings.remove(key);
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
        assert_eq!(one.expired("2026-12-31", None), None);
        let why = one.expired("2027-01-01", None);
        assert_eq!(why.as_deref(), Some("accepted only until 2026-12-31"));
        assert_eq!(one.words(), "accepted until 2026-12-31: known bug");
    }

    #[test]
    fn what_no_run_has_met_is_named_of_clients_that_took_part() {
        let accepted = Accepted::parse(TEXT).unwrap();
        let key = accepted.iter().next().unwrap().0.clone();
        let line = "a: wrong, y, x, accepted until 2026-12-31: known bug".to_owned();
        assert_eq!(accepted.unused(&BTreeSet::new(), &["b", "a"]), [line]);
        assert!(accepted.unused(&BTreeSet::from([key]), &["a"]).is_empty());
        assert!(accepted.unused(&BTreeSet::new(), &["b"]).is_empty());
    }

    #[test]
    fn a_version_is_the_only_one() {
        let accepted = Accepted::parse(&format!("{TEXT}version = '4.5'\n")).unwrap();
        let (_, one) = accepted.iter().next().unwrap();
        assert_eq!(one.expired("2026-12-31", Some("4.5")), None);
        assert_eq!(one.expired("2026-12-31", None), None, "nothing is known of it");
        let why = one.expired("2026-12-31", Some("4.6")).unwrap();
        assert_eq!(why, "accepted only for version \"4.5\", and it is \"4.6\" now");
        assert_eq!(one.words(), "accepted until 2026-12-31 for version \"4.5\": known bug");
    }

    #[test]
    fn losses_are_accepted_by_client_and_seed() {
        let text = "version = 1\n[[lost]]\nclient = 'a'\nseed = 's.tif'\nuntil = 2026-12-31\n\
                    [[lost]]\nclient = 'b'\nreason = 'gone'\n";
        let accepted = Accepted::parse(text).unwrap();
        assert_eq!(Accepted::parse(&accepted.text()).unwrap(), accepted);
        let loss = |client, seed, day| accepted.loss(Some(client), Some(seed), day);
        assert_eq!(loss("a", "s.tif", "2026-12-31").as_deref(), Some("accepted until 2026-12-31"));
        assert_eq!(loss("a", "s.tif", "2027-01-01"), None);
        assert_eq!(loss("a", "t.tif", "2026-12-31"), None);
        assert_eq!(loss("b", "t.tif", "2027-01-01").as_deref(), Some("accepted: gone"));
    }

    #[test]
    fn other_versions_and_slips_are_reported_in_one_line() {
        for (text, part) in [
            ("version = 2", "unsupported version 2, expected 1"),
            ("version = 0\nold = 3", "unsupported version 0"),
            ("accepted = []", "missing version"),
            ("version = 1\n[[accepted]]\nclient = 'a'", "line 2: missing field"),
            ("version = 1\nx = 2", "line 2: unknown field `x`"),
            (
                &TEXT.replace("wrong", "bad"),
                "line 4: `bad` is not an outcome: these are wrong, crash, ",
            ),
            (&TEXT.replace("2026-12-31", "12:00:00"), "until of a: must be a day"),
            ("version = 1\n[[lost]]\nreason = 'x'", "lost: name a client or a seed"),
            ("version", "line 1"),
        ] {
            let error = Accepted::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    }
}
