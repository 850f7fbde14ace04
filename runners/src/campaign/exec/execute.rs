//! Variants times clients, on all threads, with results that do not depend on how many.
//!
//! Variants are made in any order within a window, but *released* to the clients in the
//! order of the plan: there duplicates are dropped and what hangs too often is left out.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inverter::solve::Choices;

use super::build::{File, Made, Without, make};
use super::context::Context;
use crate::campaign::error::CampaignError;
use crate::campaign::records::{Executed, Left, Record, Row};
use crate::campaign::schedule::{Guard, Guide, Known, Order, Pick, Plan};
use crate::campaign::settings::Guidance;
use crate::digest;
use crate::oracle::Outcome;
use crate::subject::VariantError;

/// How far ahead of the oldest unfinished step steps may be begun: far enough to keep
/// threads busy, and near enough that a client which always hangs is known soon.
const WINDOW: u64 = 16;

enum Task {
    Make(u64, Order),
    Run(Run),
}

/// A file for a client.
struct Run {
    step: u64,
    client: usize,
    file: Arc<File>,
    /// The dimension that was to vary by itself.
    alone: Option<String>,
}

struct State {
    next: u64,
    released: u64,
    made: BTreeMap<u64, Result<Made, (VariantError, Choices)>>,
    seen: HashSet<digest::Key>,
    queue: VecDeque<Run>,
    /// Released steps that clients still work on, and how many.
    open: BTreeMap<u64, usize>,
    guide: Guide,
    guards: Vec<Guard>,
    known: Vec<Known>,
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
            seen: HashSet::from([digest::of_choices(&Choices::new())]),
            queue: VecDeque::new(),
            open: BTreeMap::new(),
            guide: Guide::new(
                settings.variants,
                context.subject.dimensions(),
                context.subject.own_choices(),
            ),
            known: vec![Known::default(); context.clients.len()],
            guards: vec![Guard::new(settings.hang_limit); context.clients.len()],
            active: context.benches.iter().map(Option::is_some).collect(),
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
    let mut state = engine.lock();
    state.done.cut =
        context.budget.variants() && (engine.wanted(&state) || !state.queue.is_empty());
    drop(state);
    let state = engine.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error {
        return Err(error);
    }
    let mut done = state.done;
    done.rows.sort_by_key(|row| (row.variant, row.client));
    Ok(done)
}

/// Every step before this one is finished when step `k` begins, whatever the threads do.
fn earlier(k: u64) -> u64 {
    (k + 1).saturating_sub(WINDOW)
}

impl Engine<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(task) = self.take() {
            match task {
                Task::Make(k, order) => {
                    let Context { subject, clients, settings, .. } = self.context;
                    let made = make(*subject, clients, settings.seed, &order);
                    let mut state = self.lock();
                    state.made.insert(k, made);
                    self.release(&mut state);
                }
                Task::Run(run) => self.give(&run),
            }
            self.wake.notify_all();
        }
        self.wake.notify_all();
    }

    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            let oldest = state.open.keys().next().copied().unwrap_or(state.released);
            // What was given to clients before a run was interrupted is gone through whole.
            let late = match oldest < self.context.reached {
                true => self.context.budget.stopped(),
                false => self.context.budget.variants(),
            };
            let broken = self.context.log.broken();
            if state.error.is_some() || late || broken || !state.active.contains(&true) {
                return None;
            }
            if let Some(run) = state.queue.pop_front() {
                return Some(Task::Run(run));
            }
            let wanted = self.wanted(&state);
            if wanted && state.next < oldest.min(state.released) + WINDOW {
                let k = state.next;
                state.next += 1;
                return Some(Task::Make(k, self.order(&mut state, k)));
            }
            if !wanted && state.released == state.next && state.open.is_empty() {
                return None;
            }
            // The time limit is for `stop`, which does not wake anybody.
            let waited = self.wake.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What step `k` asks for.
    fn order(&self, state: &mut State, k: u64) -> Order {
        match self.context.settings.guidance {
            Guidance::Guided => state.guide.order(k, earlier(k)),
            Guidance::Random => Order { candidates: vec![self.plan.step(k)], pick: Pick::Only },
        }
    }

    /// Whether more variants are to be made.
    fn wanted(&self, state: &State) -> bool {
        let variants = self.context.settings.variants;
        state.done.made.len() < variants && state.next < self.plan.most_steps(variants)
    }

    /// Gives out, in order, every step that has been made.
    fn release(&self, state: &mut State) {
        while let Some(made) = state.made.remove(&state.released) {
            let k = state.released;
            state.released += 1;
            // Made ahead, and not needed after all.
            if state.done.made.len() >= self.context.settings.variants || state.error.is_some() {
                continue;
            }
            let info = made.as_ref().ok().map(|made| &made.file.info);
            let new = info.filter(|i| state.seen.insert(digest::of_choices(&i.choices))).cloned();
            let is_new = new.is_some();
            if self.context.settings.guidance == Guidance::Guided {
                state.guide.saw(k, new);
            }
            match made {
                Ok(made) if is_new => self.release_one(state, k, &made),
                Ok(_) => {
                    state.done.repeated += 1;
                    self.skip(k, None, "the same choices as before".to_owned());
                }
                Err((VariantError::Impossible(why), _)) => {
                    state.done.impossible += 1;
                    self.skip(k, None, why);
                }
                Err((VariantError::Internal(what), choices)) => {
                    state.error = Some(CampaignError::Defect { what, choices });
                }
            }
        }
    }

    fn release_one(&self, state: &mut State, k: u64, made: &Made) {
        let Context { clients, order, log, progress, .. } = self.context;
        state.done.made.push(Arc::clone(&made.file.info));
        progress.inc(1);
        log.write(&Record::Variant {
            variant: k + 1,
            vary: made.vary.clone(),
            class: made.file.info.class,
            bytes: made.file.info.size,
            choices: made.file.info.choices.clone(),
        });
        for &place in *order {
            let client = &clients[place];
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
            let before = earlier(k);
            if self.context.settings.guidance == Guidance::Guided
                && let Some(why) = state.known[place].objection(before, k, &file.info.varied)
            {
                self.skip(k, Some(name), why);
                continue;
            }
            if let Some(why) = state.guards[place].objection(before, &file.info.varied) {
                self.skip(k, Some(name), why.clone());
                state.done.left.push(Left { client: place, why });
                continue;
            }
            *state.open.entry(k).or_default() += 1;
            let (file, alone) = (Arc::clone(file), made.alone.clone());
            state.queue.push_back(Run { step: k, client: place, file, alone });
        }
    }

    fn skip(&self, k: u64, client: Option<String>, why: String) {
        self.context.log.write(&Record::Skipped { variant: k + 1, client, why });
    }

    /// Runs a client on a file.
    fn give(&self, run: &Run) {
        let Run { step, client: place, file, alone } = run;
        let (step, place) = (*step, *place);
        let Context { clients, benches, log, progress, .. } = self.context;
        let Some(bench) = &benches[place] else { return };
        let client = clients[place].name().to_owned();
        let seen = bench.judge(&file.bytes);
        let mut state = self.lock();
        match seen {
            Err(error) => {
                if std::mem::replace(&mut state.active[place], false) {
                    let why = error.to_string();
                    log.write(&Record::Dropped { client, why: why.clone() });
                    state.done.dropped.push(Left { client: place, why });
                    state.forget(place);
                }
            }
            Ok(None) => {}
            Ok(Some(seen)) => {
                let judged = seen.judged;
                log.write(&Record::Result {
                    variant: step + 1,
                    client,
                    outcome: judged.outcome,
                    again: None,
                    flaky: false,
                    picture: judged.digest.clone(),
                    message: judged.message.clone(),
                    ms: seen.took.map_or(0, |took| took.as_millis() as u64),
                });
                let hung = judged.outcome == Outcome::Hang;
                state.guards[place].saw(step, &file.info.varied, hung);
                let differed = judged.outcome.is_difference();
                state.known[place].saw(step, alone.as_deref(), &file.info.varied, differed);
                if differed {
                    state.findings += 1;
                    progress.set_message(format!("{} differences", state.findings));
                }
                let info = Arc::clone(&file.info);
                state.done.rows.push(Row { variant: step + 1, client: place, info, judged });
            }
        }
        state.close(step);
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
        let (gone, kept) = self.queue.drain(..).partition(|run| run.client == place);
        self.queue = kept;
        let gone: VecDeque<Run> = gone;
        for run in gone {
            self.close(run.step);
        }
    }
}
