//! Proves regressions by running clients again on files that earlier nights read.
//!
//! A finding that no night met before may be as old as the client's program. It is certainly newer only if an earlier
//! night read a file with its values that fails tonight.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use inverter::solve::Choices;

use super::inputs::Inputs;
use super::kinds::Kind;
use campaign::{Recheck, Reference, Stop, recheck, replay_from_base};
use clients::{Client, digest, is_ignored};
use reports::store::{BucketKey, EarlierFile, Form, Sought};

/// A question: was such a file read after this time, and does it fail tonight?
type Question = (BucketKey, Form, String);

/// Collects questions and answers them together, so the baseline of a client on a seed is measured once.
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

    /// Answers the questions so far within `time`, using the clients that are here. A client that cannot be run proves
    /// nothing. If the program of a client is `unchanged`, one success may have been luck, for example with
    /// uninitialized memory, so two must be followed by failures.
    pub fn answer(
        &mut self,
        inputs: &Inputs,
        unchanged: &BTreeSet<String>,
        stop: &Stop,
        time: Option<Duration>,
    ) {
        // By the digest of the seed and the name of its format.
        let mut by_seed: BTreeMap<(String, String), Vec<(Question, EarlierFile)>> = BTreeMap::new();
        for question in self.questions.take() {
            let (key, form, after) = &question;
            let sought = Sought {
                client: &key.client,
                format: &key.format,
                seed_sha256: &form.seed_sha256,
                choices: &form.choices,
                dimensions: &key.dimensions,
                after,
            };
            let files = inputs.batch.store().read_before(&inputs.batch, sought).unwrap_or_default();
            let files = files.into_iter().map(|file| (question.clone(), file));
            let seed = (form.seed_sha256.clone(), key.format.clone());
            by_seed.entry(seed).or_default().extend(files);
        }
        for seed in &inputs.seeds {
            let restriction = &inputs.settings.restriction;
            let Some(Kind { format, clients, .. }) = seed.kind.map(|kind| &inputs.kinds[kind])
            else {
                continue;
            };
            let subject = format.open_restricted(&seed.path, inputs.profile, restriction);
            let Ok(subject) = subject else { continue };
            let key = (digest::hex(subject.seed_bytes()), format.name().to_owned());
            let Some(asked) = by_seed.remove(&key) else { continue };
            // A client was given files without the dimensions that it ignores.
            let choices: Vec<Choices> = asked.iter().map(|(q, f)| tried(clients, q, f)).collect();
            let files = replay_from_base(&*subject, choices.iter());
            // Each with the place of its question.
            let mut work = Vec::new();
            for client in clients {
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
            // For each question, the time of a file that fails, and how many fail and are read.
            let mut readings: Vec<(&Question, Option<&String>, [usize; 2])> = Vec::new();
            for (place, outcome) in places.into_iter().flatten().zip(outcomes.into_iter().flatten())
            {
                let Some(now) = outcome else { continue };
                let (question, file) = &asked[place];
                let fails = now.always_fails() && now.outcome == question.0.outcome;
                match readings.iter_mut().find(|(known, ..)| *known == question) {
                    Some((_, at, count)) => {
                        count[usize::from(!fails)] += 1;
                        *at = at.or(fails.then_some(&file.at));
                    }
                    None => {
                        let count = [usize::from(fails), usize::from(!fails)];
                        readings.push((question, fails.then_some(&file.at), count));
                    }
                }
            }
            for (question, at, [fail, read]) in readings {
                let least = if unchanged.contains(&question.0.client) { 2 } else { 1 };
                if let Some(at) = at.filter(|_| fail >= least.max(read)) {
                    self.answers.push((question.clone(), at.clone()));
                }
            }
        }
    }
}

/// Returns the choices of the file that the client of a question received.
fn tried(clients: &[Box<dyn Client>], (key, ..): &Question, file: &EarlierFile) -> Choices {
    let client = clients.iter().find(|client| client.name() == key.client);
    let ignores = client.map_or(&[][..], |client| client.ignores());
    let kept = file.choices.iter().filter(|(name, _)| !is_ignored(ignores, name));
    kept.map(|(name, value)| (name.to_owned(), value.clone())).collect()
}
