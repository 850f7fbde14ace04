//! Regressions, proved: clients run again on files that earlier nights read.
//!
//! A finding that no night met before may be as old as the client's program. That it is not is certain only if a file
//! with its values was read by an earlier night and fails tonight.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use super::inputs::Inputs;
use crate::campaign::{Recheck, Reference, Stop, recheck, replay_from_base};
use crate::cli::Format;
use crate::digest;
use crate::store::{BucketKey, EarlierFile, Form, Sought};

/// A question: was such a file read after this time, and does it fail tonight?
type Question = (BucketKey, Form, String);

/// Collects questions, and answers them together: the baseline of a client on a seed is measured once.
#[derive(Default)]
pub(super) struct Evidence {
    questions: RefCell<Vec<Question>>,
    answers: Vec<(Question, String)>,
}

impl Evidence {
    /// Returns the time of the night that read such a file, which fails tonight; `None` if there is none, or if the
    /// question has not been answered.
    pub fn regression(&self, key: &BucketKey, form: &Form, after: &str) -> Option<String> {
        let same = |(k, f, a): &Question| k == key && f == form && a == after;
        if let Some((_, at)) = self.answers.iter().find(|(question, _)| same(question)) {
            return Some(at.clone());
        }
        let mut questions = self.questions.borrow_mut();
        if !questions.iter().any(same) {
            questions.push((key.clone(), form.clone(), after.to_owned()));
        }
        None
    }

    /// Answers the questions so far, by the clients that are here, within `time`. A client that cannot be run
    /// proves nothing.
    pub fn answer(&mut self, inputs: &Inputs, stop: &Stop, time: Option<Duration>) {
        let mut by_seed: BTreeMap<String, Vec<(Question, EarlierFile)>> = BTreeMap::new();
        for question in self.questions.take() {
            let (key, form, after) = &question;
            let sought = Sought {
                client: &key.client,
                seed_sha256: &form.seed_sha256,
                choices: &form.choices,
                dimensions: &key.dimensions,
                after,
            };
            let files = inputs.batch.store().read_before(&inputs.batch, sought).unwrap_or_default();
            let files = files.into_iter().map(|file| (question.clone(), file));
            by_seed.entry(form.seed_sha256.clone()).or_default().extend(files);
        }
        for seed in &inputs.seeds {
            let restriction = &inputs.settings.restriction;
            let subject =
                Format::default().open_restricted(&seed.path, inputs.profile, restriction);
            let Ok(subject) = subject else { continue };
            let Some(asked) = by_seed.remove(&digest::hex(subject.seed_bytes())) else { continue };
            let choices = asked.iter().map(|(_, file)| &file.choices);
            let files = replay_from_base(&*subject, choices);
            // Each with the place of its question.
            let mut work = Vec::new();
            for client in &inputs.clients {
                let mine =
                    asked.iter().zip(&files).enumerate().filter_map(|(place, (asked, file))| {
                        let file = Recheck { file: file.as_ref()?, reference: Reference::Variants };
                        (asked.0.0.client == client.name()).then_some((place, file))
                    });
                let (places, files): (Vec<usize>, Vec<Recheck<'_>>) = mine.unzip();
                if !files.is_empty() {
                    work.push((places, (&**client, files)));
                }
            }
            let (places, work): (Vec<_>, Vec<_>) = work.into_iter().unzip();
            let outcomes = recheck(&*subject, &work, inputs.settings.jobs, stop, time);
            for (place, outcome) in places.into_iter().flatten().zip(outcomes.into_iter().flatten())
            {
                let (question, file) = &asked[place];
                let fails = outcome.is_some_and(|now| now.always_fails());
                if fails && !self.answers.iter().any(|(known, _)| known == question) {
                    self.answers.push((question.clone(), file.at.clone()));
                }
            }
        }
    }
}
