//! The test function of delta debugging: runs one client on the variant of a set of choices.

use std::io;
use std::time::Duration;

use inverter::solve::Choices;
use tiff_harness::Picture;

use crate::client_session::{ClientSession, JudgedRun};
use crate::records::{Judgment, Log, Purpose, Record, Trial};
use crate::runtime::{Budget, Gate, map};
use clients::{GlueFailure, Reply};
use equivalents::subject::{Subject, Variant};

/// The number of runs that show how often an unsteady client has each result, and the number of runs that confirm a
/// cost.
const RUNS: usize = 5;

/// An error that ends a reduction.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The client cannot be run any more.
    #[error("cannot run the client: {0}")]
    Client(#[from] io::Error),
    /// The user ended the run, or its time is used up.
    #[error("stopped")]
    Stopped,
}

/// The result of a second run on a file.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// The judgment of the second run.
    pub judgment: Judgment,
    /// The picture, if the client showed one.
    pub picture: Option<Picture>,
    /// True if the two runs have the same signature.
    pub agrees: bool,
    /// True if the two runs agree on the outcome, but show different wrong pictures, for example because the client
    /// shows uninitialized memory.
    pub varies: bool,
}

/// Tests sets of choices on one client. Variants and judgments come from caches where possible.
#[derive(Clone, Copy)]
pub struct TestOracle<'a> {
    /// The seed.
    pub subject: &'a dyn Subject,
    /// The client.
    pub session: &'a ClientSession<'a>,
    /// Limits how many runs are in progress at once.
    pub gate: &'a Gate,
    /// The approximate duration of one run.
    pub cost: Duration,
    /// Decides when to end.
    pub budget: &'a Budget,
    /// The log of runs.
    pub log: &'a Log,
}

impl TestOracle<'_> {
    /// Returns the variant of `choices`; `None` if there is no such variant.
    pub fn replay(&self, choices: &Choices) -> Option<Variant> {
        self.subject.replay(choices).ok()
    }

    /// Judges the client on the variant of `choices`; `None` if there is no such variant, or if it
    /// cannot be judged.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`].
    pub fn test(&self, choices: &Choices, why: Purpose) -> Result<Option<Trial>, ReduceError> {
        self.gate.pass(self.cost, || match self.replay(choices) {
            Some(variant) => match self.judge(variant, choices, why) {
                Err(ReduceError::Client(error)) if GlueFailure::in_error(&error).is_some() => {
                    Ok(None)
                }
                judged => judged.map(Some),
            },
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
            if self.budget.ends_reduction() {
                return Err(ReduceError::Stopped);
            }
            // Repeat the run if the user's Ctrl-C may also have hit the client.
            if let Some(cached) = self.session.judge(&variant.bytes)? {
                if let Some(took) = cached.took {
                    self.log_probe(choices, &cached.judgment, took, why);
                }
                return Ok(Trial { variant, judgment: cached.judgment });
            }
        }
    }

    /// Tests several sets in parallel, so that the cache has the results when
    /// [`TestOracle::test`] is called. Errors are reported then.
    pub fn prefetch(&self, sets: &[Choices], why: Purpose) {
        let threads = self.gate.size();
        let variants =
            map(threads, sets, |_, choices| self.gate.pass(self.cost, || self.replay(choices)));
        // Each file is run only once, because the choices that the log names must not depend on the threads.
        let mut files: Vec<(Variant, &Choices)> = Vec::new();
        for (variant, choices) in variants.into_iter().zip(sets) {
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

    /// Like [`TestOracle::prefetch`], for sets that may not be tested after all. Does nothing for a client whose runs
    /// compute rather than wait.
    pub fn speculate(&self, sets: &[Choices], why: Purpose) {
        if self.session.client.waits() {
            self.prefetch(sets, why);
        }
    }

    /// Runs the client on the file of `trial` once more; [`RUNS`] times if its cost is the finding. Stops at the first
    /// run that disagrees.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`].
    pub fn confirm(&self, trial: &Trial, choices: &Choices) -> Result<Confirmation, ReduceError> {
        let runs = if trial.judgment.outcome.is_cost() { RUNS } else { 1 };
        let mut confirmation = self.confirm_once(trial, choices)?;
        for _ in 1..runs {
            if !confirmation.agrees {
                break;
            }
            confirmation = self.confirm_once(trial, choices)?;
        }
        Ok(confirmation)
    }

    fn confirm_once(&self, trial: &Trial, choices: &Choices) -> Result<Confirmation, ReduceError> {
        self.gate.pass(self.cost, || {
            loop {
                if self.budget.ends_reduction() {
                    return Err(ReduceError::Stopped);
                }
                let Some(run) = self.session.run_fresh(&trial.variant.bytes)? else { continue };
                let JudgedRun { judgment, reply, took, .. } = run;
                self.log_probe(choices, &judgment, took, Purpose::Confirm);
                // A different message for the same file is not a different result.
                let signature = |judgment: &Judgment| judgment.signature().without_words();
                let agrees = signature(&judgment) == signature(&trial.judgment);
                let varies = agrees && !judgment.agrees(&trial.judgment);
                let picture = match reply {
                    Reply::Picture(picture) => Some(picture),
                    _ => None,
                };
                return Ok(Confirmation { judgment, picture, agrees, varies });
            }
        })
    }

    /// Runs the client on the file of `trial` until [`RUNS`] results are known, including those in `known`, or until
    /// the reduction must end. Returns all of them.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`] except [`ReduceError::Stopped`].
    pub fn repeated(
        &self,
        trial: &Trial,
        choices: &Choices,
        known: Vec<Judgment>,
    ) -> Result<Vec<Judgment>, ReduceError> {
        let mut judgments = known;
        while judgments.len() < RUNS {
            match self.confirm_once(trial, choices) {
                Ok(confirmation) => judgments.push(confirmation.judgment),
                Err(ReduceError::Stopped) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(judgments)
    }

    /// Logs a run that is not part of the plan.
    pub fn log_probe(&self, choices: &Choices, judgment: &Judgment, took: Duration, why: Purpose) {
        self.log.write(&Record::Probe {
            client: self.session.client.name().to_owned(),
            why,
            outcome: judgment.outcome,
            difference: judgment.difference,
            choices: choices.clone(),
            picture: judgment.digest.clone(),
            message: judgment.message.clone(),
            ms: took.as_millis() as u64,
        });
    }
}
