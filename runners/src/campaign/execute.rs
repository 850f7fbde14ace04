//! Variants times clients, on all threads, with results that do not depend on how many.
//!
//! Variants are made in any order within a window, but *released* to the clients in the
//! order of the plan: there duplicates are dropped and what hangs too often is left out.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use inverter::solve::Choices;
use sha2::{Digest, Sha256};
use tiff_harness::Picture;

use super::baseline::{replay, run};
use super::guard::Guard;
use super::parallel::guarded;
use super::plan::{Plan, Step, describe};
use super::record::{Log, Record};
use super::{CampaignError, Settings, Stop};
use crate::client::{Client, Reply};
use crate::oracle::{self, Outcome};
use crate::subject::{Class, Subject, Variant, VariantError};

/// How far ahead of the oldest unfinished step steps may be begun: far enough to keep
/// threads busy, and near enough that a client which always hangs is known soon.
const WINDOW: u64 = 16;

/// A variant that was made, without its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The worst class of its choices.
    pub class: Class,
    /// The file's size.
    pub size: usize,
    /// The choices that differ from the seed's.
    pub choices: Choices,
    /// The dimensions that differ, each with the class of its value.
    pub varied: Vec<(String, String)>,
}

/// What one client did with one variant.
#[derive(Debug, Clone)]
pub struct Row {
    /// The variant's index.
    pub variant: u64,
    /// The client's place in the list.
    pub client: usize,
    /// The file it was given.
    pub info: Arc<Info>,
    /// What came of it; of two runs that disagree, the worse.
    pub outcome: Outcome,
    /// Whether a second run disagreed.
    pub flaky: bool,
    /// The client's own words.
    pub message: String,
}

/// What a client was not given.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// The client's place in the list.
    pub client: usize,
    /// Why.
    pub why: String,
}

/// Everything that was done.
#[derive(Debug, Default)]
pub struct Executed {
    /// One row for each variant and client, in the order of variants, then clients.
    pub rows: Vec<Row>,
    /// How many different variants were made.
    pub variants: usize,
    /// How many steps repeated an earlier variant, or the seed.
    pub repeated: usize,
    /// How many steps had no file.
    pub impossible: usize,
    /// What was left out because a client hangs on the like.
    pub left: Vec<Left>,
    /// Clients used no further: place in the list, and why.
    pub dropped: Vec<Left>,
}

/// What a campaign runs on.
pub struct Context<'a> {
    /// The seed file.
    pub subject: &'a dyn Subject,
    /// All clients.
    pub clients: &'a [Box<dyn Client>],
    /// What variants are compared with, for each client; `None` for one that is not run.
    pub references: Vec<Option<&'a Picture>>,
    /// How much, with which seed, on how many threads.
    pub settings: &'a Settings,
    /// Where results go.
    pub log: &'a Log,
    /// When to end early.
    pub stop: &'a Stop,
    /// The progress bar.
    pub progress: &'a ProgressBar,
}

struct File {
    bytes: Vec<u8>,
    info: Arc<Info>,
}

/// A variant, and what clients get instead that ignore some of its dimensions.
struct Made {
    vary: String,
    file: Arc<File>,
    without: Vec<(Vec<String>, Without)>,
}

enum Without {
    Nothing,
    Impossible(String),
    File(Arc<File>),
}

enum Task {
    Make(u64),
    Run { step: u64, client: usize, file: Arc<File> },
}

struct State {
    next: u64,
    released: u64,
    made: BTreeMap<u64, Result<Made, (VariantError, Choices)>>,
    seen: HashSet<[u8; 32]>,
    queue: VecDeque<(u64, usize, Arc<File>)>,
    /// Released steps that clients still work on, and how many.
    open: BTreeMap<u64, usize>,
    guards: Vec<Guard>,
    active: Vec<bool>,
    findings: usize,
    done: Executed,
    error: Option<CampaignError>,
}

struct Engine<'a> {
    context: &'a Context<'a>,
    plan: Plan,
    state: Mutex<State>,
    wake: Condvar,
}

/// Runs the whole plan, or until it is stopped.
pub fn execute(context: &Context<'_>) -> Result<Executed, CampaignError> {
    let settings = context.settings;
    let engine = Engine {
        context,
        plan: Plan::new(settings.variants, context.subject.dimensions()),
        state: Mutex::new(State {
            next: 0,
            released: 0,
            made: BTreeMap::new(),
            seen: HashSet::from([key(&Choices::new())]),
            queue: VecDeque::new(),
            open: BTreeMap::new(),
            guards: vec![Guard::new(settings.hang_limit); context.clients.len()],
            active: context.references.iter().map(Option::is_some).collect(),
            findings: 0,
            done: Executed::default(),
            error: None,
        }),
        wake: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| engine.work());
        }
    });
    let state = engine.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error {
        return Err(error);
    }
    let mut done = state.done;
    done.rows.sort_by_key(|row| (row.variant, row.client));
    Ok(done)
}

/// What two equal sets of choices have in common, whatever their order.
fn key(choices: &Choices) -> [u8; 32] {
    let mut pairs: Vec<_> = choices.iter().collect();
    pairs.sort_by_key(|(dimension, _)| *dimension);
    Sha256::digest(serde_json::to_vec(&pairs).unwrap_or_default()).into()
}

impl Engine<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(task) = self.take() {
            match task {
                Task::Make(k) => {
                    let made = self.make(&self.plan.step(k));
                    let mut state = self.lock();
                    state.made.insert(k, made);
                    self.release(&mut state);
                }
                Task::Run { step, client, file } => self.give(step, client, &file),
            }
            self.wake.notify_all();
        }
        self.wake.notify_all();
    }

    fn take(&self) -> Option<Task> {
        let settings = self.context.settings;
        let mut state = self.lock();
        loop {
            let over = state.error.is_some()
                || self.context.stop.variants()
                || self.context.log.broken()
                || !state.active.contains(&true);
            if over {
                return None;
            }
            if let Some((step, client, file)) = state.queue.pop_front() {
                return Some(Task::Run { step, client, file });
            }
            let oldest = state.open.keys().next().copied().unwrap_or(state.released);
            let wanted = state.done.variants < settings.variants
                && state.next < self.plan.most_steps(settings.variants);
            if wanted && state.next < oldest.min(state.released) + WINDOW {
                state.next += 1;
                return Some(Task::Make(state.next - 1));
            }
            if !wanted && state.released == state.next && state.open.is_empty() {
                return None;
            }
            // The time limit is for `stop`, which does not wake anybody.
            let waited = self.wake.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The file of a step, and its stand-ins for clients that ignore dimensions.
    fn make(&self, step: &Step) -> Result<Made, (VariantError, Choices)> {
        let Context { subject, clients, settings, .. } = self.context;
        let variant = guarded(|| subject.variant(settings.seed, step.index, step.vary.clone()))
            .unwrap_or_else(|panic| Err(VariantError::Defect(panic)))
            .map_err(|error| (error, Choices::new()))?;
        let file = self.file(variant);
        let mut without: Vec<(Vec<String>, Without)> = Vec::new();
        for client in clients.iter() {
            let ignores = client.ignores();
            let touched = ignores.iter().any(|d| file.info.choices.get(d).is_some());
            if !touched || without.iter().any(|(known, _)| known == ignores) {
                continue;
            }
            let mut rest = file.info.choices.clone();
            for dimension in ignores {
                rest.remove(dimension);
            }
            let other = if rest.is_empty() {
                Without::Nothing
            } else {
                match replay(*subject, &rest) {
                    Ok(variant) => Without::File(Arc::new(self.file(variant))),
                    Err(VariantError::Impossible(why)) => Without::Impossible(why),
                    Err(defect) => return Err((defect, rest)),
                }
            };
            without.push((ignores.to_vec(), other));
        }
        Ok(Made { vary: describe(&step.vary), file: Arc::new(file), without })
    }

    fn file(&self, variant: Variant) -> File {
        let info = Arc::new(Info::of(self.context.subject, &variant));
        File { bytes: variant.bytes, info }
    }

    /// Gives out, in order, every step that has been made.
    fn release(&self, state: &mut State) {
        while let Some(made) = state.made.remove(&state.released) {
            let k = state.released;
            state.released += 1;
            // Made ahead, and not needed after all.
            if state.done.variants >= self.context.settings.variants || state.error.is_some() {
                continue;
            }
            match made {
                Ok(made) if state.seen.insert(key(&made.file.info.choices)) => {
                    self.release_one(state, k, &made);
                }
                Ok(_) => {
                    state.done.repeated += 1;
                    self.skip(k, None, "the same choices as before".to_owned());
                }
                Err((VariantError::Impossible(why), _)) => {
                    state.done.impossible += 1;
                    self.skip(k, None, why);
                }
                Err((VariantError::Defect(what), choices)) => {
                    state.error = Some(CampaignError::Defect { what, choices });
                }
            }
        }
    }

    fn release_one(&self, state: &mut State, k: u64, made: &Made) {
        let Context { clients, log, progress, .. } = self.context;
        state.done.variants += 1;
        progress.inc(1);
        log.write(&Record::Variant {
            variant: k + 1,
            vary: made.vary.clone(),
            class: made.file.info.class,
            bytes: made.file.info.size,
            choices: made.file.info.choices.clone(),
        });
        for (place, client) in clients.iter().enumerate() {
            if !state.active[place] {
                continue;
            }
            let name = client.name().to_owned();
            let ignores = client.ignores();
            let file = match made.without.iter().find(|(known, _)| known == ignores) {
                None => &made.file,
                Some((_, Without::File(file))) => file,
                Some((_, Without::Nothing)) => {
                    self.skip(k, Some(name), "it ignores all that varies".to_owned());
                    continue;
                }
                Some((_, Without::Impossible(why))) => {
                    self.skip(k, Some(name), format!("not without what it ignores: {why}"));
                    continue;
                }
            };
            // Every step before this one's window is finished, whatever the threads do.
            let before = (k + 1).saturating_sub(WINDOW);
            if let Some(why) = state.guards[place].objection(before, &file.info.varied) {
                self.skip(k, Some(name), why.clone());
                state.done.left.push(Left { client: place, why });
                continue;
            }
            *state.open.entry(k).or_default() += 1;
            state.queue.push_back((k, place, Arc::clone(file)));
        }
    }

    fn skip(&self, k: u64, client: Option<String>, why: String) {
        self.context.log.write(&Record::Skipped { variant: k + 1, client, why });
    }

    /// Runs a client on a file, twice if it differs from the seed.
    fn give(&self, step: u64, place: usize, file: &Arc<File>) {
        let Context { clients, references, log, stop, progress, .. } = self.context;
        let client = &*clients[place];
        let level = stop.level();
        let begun = Instant::now();
        let judged = match references[place] {
            Some(reference) => twice(client, &file.bytes, reference),
            None => return,
        };
        let mut state = self.lock();
        // What is stopped by the same Ctrl-C as we are tells nothing about the client.
        let interrupted = stop.level() != level;
        match judged {
            Err(error) => {
                if std::mem::replace(&mut state.active[place], false) {
                    let why = error.to_string();
                    let name = client.name().to_owned();
                    log.write(&Record::Dropped { client: name, why: why.clone() });
                    state.done.dropped.push(Left { client: place, why });
                    state.forget(place);
                }
            }
            Ok(judged) if interrupted && judged.outcome.is_difference() => {}
            Ok(judged) => {
                log.write(&Record::Result {
                    variant: step + 1,
                    client: client.name().to_owned(),
                    outcome: judged.outcome,
                    again: judged.again,
                    flaky: judged.flaky,
                    picture: judged.digest,
                    message: judged.message.clone(),
                    ms: begun.elapsed().as_millis() as u64,
                });
                let hung = judged.outcome == Outcome::Hang;
                state.guards[place].saw(step, &file.info.varied, hung);
                if judged.outcome.is_difference() {
                    state.findings += 1;
                    progress.set_message(format!("{} differences", state.findings));
                }
                state.done.rows.push(Row {
                    variant: step + 1,
                    client: place,
                    info: Arc::clone(&file.info),
                    outcome: judged.outcome,
                    flaky: judged.flaky,
                    message: judged.message,
                });
            }
        }
        state.close(step);
    }
}

impl Info {
    /// The account of `variant`.
    pub fn of(subject: &dyn Subject, variant: &Variant) -> Self {
        let choices = variant.choices.differing_from(subject.own_choices());
        let varied =
            choices.iter().map(|(d, v)| (d.to_owned(), subject.value_class(d, v))).collect();
        Info { class: variant.class, size: variant.bytes.len(), choices, varied }
    }
}

impl State {
    /// One client is done with `step`.
    fn close(&mut self, step: u64) {
        if let Some(left) = self.open.get_mut(&step) {
            *left -= 1;
            if *left == 0 {
                self.open.remove(&step);
            }
        }
    }

    /// Takes what is queued for a dropped client out of the queue.
    fn forget(&mut self, place: usize) {
        let (gone, kept) = self.queue.drain(..).partition(|(_, client, _)| *client == place);
        self.queue = kept;
        let gone: VecDeque<_> = gone;
        for (step, ..) in gone {
            self.close(step);
        }
    }
}

struct Judged {
    outcome: Outcome,
    again: Option<Outcome>,
    flaky: bool,
    digest: Option<String>,
    message: String,
}

fn twice(client: &dyn Client, file: &[u8], reference: &Picture) -> std::io::Result<Judged> {
    let first = run(client, file)?;
    let outcome = oracle::judge(reference, &first);
    let mut judged = Judged {
        outcome,
        again: None,
        flaky: false,
        digest: None,
        message: oracle::message(&first).to_owned(),
    };
    if outcome.is_difference() {
        let second = run(client, file)?;
        let again = oracle::judge(reference, &second);
        judged.again = Some(again);
        judged.flaky = !oracle::agree(&first, &second);
        let mut shown = &first;
        if again < outcome {
            judged.outcome = again;
            judged.message = oracle::message(&second).to_owned();
            shown = &second;
        }
        if let Reply::Picture(picture) = shown {
            judged.digest = Some(picture.digest());
        }
    }
    Ok(judged)
}
