//! Trying sets of choices on one client.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use crate::campaign::client_session::{Bench, Fresh, replay};
use crate::campaign::records::{Judged, Log, Purpose, Record, Trial};
use crate::campaign::runtime::{Budget, Gate, map};
use crate::client::Reply;
use crate::subject::{Subject, Variant, VariantError};

/// Trouble that ends a reduction.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// A file that was made does not mean what the seed means.
    #[error("internal error: {what}; please report this with the seed file and the choices")]
    Defect {
        /// What is wrong.
        what: String,
        /// The choices that show it.
        choices: Choices,
    },
    /// The client cannot be run any more.
    #[error("cannot run the client: {0}")]
    Client(#[from] io::Error),
    /// The user ended the run, or its time is used up.
    #[error("stopped")]
    Stopped,
}

/// A second run on a file.
#[derive(Debug, Clone)]
pub struct Confirmed {
    /// What came of it.
    pub judged: Judged,
    /// The picture, if it made one.
    pub picture: Option<Picture>,
    /// Whether it came to the same as the first.
    pub agrees: bool,
}

/// Tries sets of choices on one client.
#[derive(Clone, Copy)]
pub struct Prober<'a> {
    /// The seed file.
    pub subject: &'a dyn Subject,
    /// The client.
    pub bench: &'a Bench<'a>,
    /// Lets so many run at once.
    pub gate: &'a Gate,
    /// About how long one run takes.
    pub cost: Duration,
    /// When to end early.
    pub budget: &'a Budget,
    /// Where runs are noted.
    pub log: &'a Log,
}

impl Prober<'_> {
    /// The variant of `choices`; `None` if there is no such variant.
    ///
    /// # Errors
    ///
    /// [`ReduceError::Defect`].
    pub fn make(&self, choices: &Choices) -> Result<Option<Variant>, ReduceError> {
        match replay(self.subject, choices) {
            Ok(variant) => Ok(Some(variant)),
            Err(VariantError::Impossible(_)) => Ok(None),
            Err(VariantError::Internal(what)) => {
                Err(ReduceError::Defect { what, choices: choices.clone() })
            }
        }
    }

    /// The variant of `choices`, given to the client; `None` if there is no such variant.
    ///
    /// # Errors
    ///
    /// [`ReduceError`].
    pub fn probe(&self, choices: &Choices, why: Purpose) -> Result<Option<Trial>, ReduceError> {
        self.gate.pass(self.cost, || match self.make(choices)? {
            Some(variant) => self.judge(variant, choices, why).map(Some),
            None => Ok(None),
        })
    }

    fn judge(
        &self,
        variant: Variant,
        choices: &Choices,
        why: Purpose,
    ) -> Result<Trial, ReduceError> {
        loop {
            if self.budget.everything() {
                return Err(ReduceError::Stopped);
            }
            // Again, if Ctrl-C may have hit the client, too.
            if let Some(seen) = self.bench.judge(&variant.bytes)? {
                if let Some(took) = seen.took {
                    self.note(choices, &seen.judged, took, why);
                }
                return Ok(Trial { variant, judged: seen.judged });
            }
        }
    }

    /// Tries several sets at once, so that [`Prober::probe`] has them ready. Trouble shows
    /// when they are asked for.
    pub fn prepare(&self, sets: &[Choices], why: Purpose) {
        let threads = self.gate.size();
        let made = map(threads, sets, |_, choices| {
            self.gate.pass(self.cost, || self.make(choices).ok().flatten())
        });
        // One run a file: which choices it is noted under must not depend on the threads.
        let mut files: Vec<(Variant, &Choices)> = Vec::new();
        for (variant, choices) in made.into_iter().zip(sets) {
            if let Some(variant) = variant
                && files.iter().all(|(known, _)| known.bytes != variant.bytes)
            {
                files.push((variant, choices));
            }
        }
        map(threads, &files, |_, (variant, choices)| {
            self.gate.pass(self.cost, || self.judge(variant.clone(), choices, why)).is_ok()
        });
    }

    /// Gives the client the file of `trial` once more.
    ///
    /// # Errors
    ///
    /// [`ReduceError`].
    pub fn confirm(&self, trial: &Trial, choices: &Choices) -> Result<Confirmed, ReduceError> {
        self.gate.pass(self.cost, || {
            loop {
                if self.budget.everything() {
                    return Err(ReduceError::Stopped);
                }
                let Some(fresh) = self.bench.afresh(&trial.variant.bytes)? else { continue };
                let Fresh { judged, reply, took } = fresh;
                self.note(choices, &judged, took, Purpose::Confirm);
                let agrees = judged.agrees(&trial.judged);
                let picture = match reply {
                    Reply::Picture(picture) => Some(picture),
                    _ => None,
                };
                return Ok(Confirmed { judged, picture, agrees });
            }
        })
    }

    pub(super) fn note(&self, choices: &Choices, judged: &Judged, took: Duration, why: Purpose) {
        self.log.write(&Record::Probe {
            client: self.bench.client.name().to_owned(),
            why,
            outcome: judged.outcome,
            choices: choices.clone(),
            picture: judged.digest.clone(),
            message: judged.message.clone(),
            ms: took.as_millis() as u64,
        });
    }
}
