//! Applies the causes that people accepted to a run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::days::today;
use super::note;
use campaign::Run;
use reports::nightly::{Accepted, FileError};
use reports::store::BucketKey;

/// The acceptances in a file, and those that the runs have met so far.
pub struct Acceptances {
    file: PathBuf,
    accepted: Accepted,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    met: BTreeSet<BucketKey>,
    clients: BTreeSet<String>,
}

impl Acceptances {
    /// Reads `file`; a missing file accepts nothing.
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`].
    pub fn read(file: &Path) -> Result<Self, FileError> {
        Ok(Self::of(file, Accepted::read(file)?))
    }

    /// The acceptances that were read from `file`.
    pub fn of(file: &Path, accepted: Accepted) -> Self {
        Self { file: file.to_owned(), accepted, seen: Mutex::default() }
    }

    /// Marks the causes of `run` that are accepted, and notes the acceptances that have expired.
    pub fn apply(&self, run: &mut Run) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let expired = self.accepted.apply(run, &today(), &mut seen.met);
        expired.iter().for_each(|line| note(format!("{}: {line}", self.file.display())));
        let judged = run.clients.iter().filter(|client| client.state.baseline().is_some());
        seen.clients.extend(judged.map(|client| client.name.clone()));
    }

    /// Notes the acceptances that no run has met, for clients that took part.
    pub fn name_unused(&self) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let clients: Vec<&str> = seen.clients.iter().map(String::as_str).collect();
        for line in self.accepted.unused(&seen.met, &clients) {
            note(format!("{}: not met in this run: {line}", self.file.display()));
        }
    }
}
