//! Runs the clients on the variants, on all threads. The results do not depend on their number.
//!
//! Variants are built in any order within a window, but *released* to the clients in the order of
//! the plan. Duplicates are dropped then, and variants that a client should skip are decided on.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inverter::solve::Choices;

use super::build::{BuiltVariant, File, ReducedVariant, build, reduce};
use super::context::Context;
use super::given::run_given;
use crate::campaign::records::{ClientId, ExecutionResults, Omission, Record, Row};
use crate::campaign::runtime::processors;
use crate::campaign::schedule::{
    EdgeGuide, HangLimit, InputScheduler, Plan, Reached, Request, SuppressionRules,
};
use crate::campaign::settings::{Guidance, Settings};
use crate::client::GlueFailure;
use crate::digest;

/// The distance from the oldest unfinished step within which steps may begin: large enough to keep
/// threads busy, and small enough that a client which always hangs is detected soon.
const WINDOW: u64 = 16;

enum Task {
    Build(u64, Request),
    Run(Job),
}

/// A client to run on a file.
struct Job {
    step: u64,
    client: ClientId,
    /// See [`crate::client::Client::waits`].
    waits: bool,
    file: Arc<File>,
    /// The dimensions of the file that the client refuses: it is given the file without them.
    limits: Vec<String>,
    /// The dimension that was meant to vary alone.
    alone: Option<String>,
}

struct State {
    next: u64,
    released: u64,
    /// Variants that are built and not released.
    built: BTreeMap<u64, Result<BuiltVariant, String>>,
    seen: HashSet<digest::Key>,
    queue: VecDeque<Job>,
    /// The runs now of clients that compute, and of those that wait.
    running: [usize; 2],
    /// Released steps, with the number of clients that have not finished.
    open: BTreeMap<u64, usize>,
    scheduler: InputScheduler,
    edges: EdgeGuide,
    hang_limits: Vec<HangLimit>,
    suppression: Vec<SuppressionRules>,
    active: Vec<bool>,
    findings: usize,
    results: ExecutionResults,
}

struct Engine<'a> {
    context: &'a Context<'a>,
    plan: Plan,
    state: Mutex<State>,
    wake: Condvar,
}

/// Executes the whole plan, or as much as the budget allows.
pub fn execute(context: &Context<'_>) -> ExecutionResults {
    let settings = context.settings;
    let mut seen = HashSet::from([digest::of_choices(&Choices::new())]);
    let mut results = ExecutionResults::default();
    if let Some(given) = context.given {
        results.rows = run_given(context, given);
        // No variant repeats the seed: but for bytes that no dimension describes, it is the same.
        seen.insert(digest::of_choices(&given.differing_from(context.subject.own_choices())));
    }
    let own = context.subject.own_choices();
    let given = context.given.map(|given| given.differing_from(own)).unwrap_or_default();
    let engine = Engine {
        context,
        plan: Plan::new(settings.variants, context.subject.dimensions()),
        state: Mutex::new(State {
            next: 0,
            released: 0,
            built: BTreeMap::new(),
            seen,
            queue: VecDeque::new(),
            running: [0, 0],
            open: BTreeMap::new(),
            scheduler: InputScheduler::new(
                settings.variants,
                context.subject.dimensions(),
                context.subject.own_choices(),
                given,
            ),
            edges: EdgeGuide::new(settings.seed, context.subject.dimensions(), context.seed_edges),
            suppression: vec![SuppressionRules::default(); context.clients.len()],
            hang_limits: vec![HangLimit::new(settings.hang_limit); context.clients.len()],
            active: context.sessions.iter().map(Option::is_some).collect(),
            findings: results.rows.iter().filter(|row| row.outcome().is_difference()).count(),
            results,
        }),
        wake: Condvar::new(),
    };
    std::thread::scope(|scope| {
        let engine = &engine;
        let waits = context.clients.iter().any(|client| client.waits());
        let waiting = if waits { settings.waiting } else { 0 };
        for role in roles(settings.jobs, processors(), waiting) {
            scope.spawn(move || engine.work(role));
        }
    });
    let mut state = engine.lock();
    state.results.cut_short =
        context.budget.ends_variants() && (engine.wanted(&state) || !state.queue.is_empty());
    drop(state);
    let state = engine.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut results = state.results;
    results.edges = state.edges.finish();
    results.rows.sort_by_key(|row| (row.variant, row.client));
    results
}

/// The tasks that a thread takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It makes variants only.
    Builds,
    /// It runs clients only.
    Runs,
    /// It does both.
    Both,
}

/// Returns the roles of the threads of `jobs` runs at once. If most runs wait for other machines, a few threads
/// make all variants: each thread that makes some keeps megabytes. There are `waiting` more threads, for runs that
/// wait for their programs.
fn roles(jobs: usize, processors: usize, waiting: usize) -> Vec<Role> {
    let jobs = jobs.max(1);
    let mut roles = match jobs <= 2 * processors {
        true => vec![Role::Both; jobs],
        false => vec![Role::Builds; processors],
    };
    let runs = if jobs <= 2 * processors { waiting } else { jobs + waiting };
    roles.resize(roles.len() + runs, Role::Runs);
    roles
}

/// Returns a step before which every step is finished when step `k` begins, with any number of
/// threads.
fn finished_before(k: u64) -> u64 {
    (k + 1).saturating_sub(WINDOW)
}

impl Engine<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, role: Role) {
        while let Some(task) = self.take(role) {
            match task {
                Task::Build(k, request) => {
                    let Context { subject, clients, settings, .. } = self.context;
                    let built = build(*subject, clients, settings.seed, &request);
                    let mut state = self.lock();
                    state.built.insert(k, built);
                    self.release(&mut state);
                }
                Task::Run(job) => {
                    self.run(&job);
                    self.lock().running[usize::from(job.waits)] -= 1;
                }
            }
            self.wake.notify_all();
        }
        self.wake.notify_all();
    }

    /// Waits for a task of a role. `None` if there are no more.
    fn take(&self, role: Role) -> Option<Task> {
        let mut state = self.lock();
        loop {
            let oldest = state.open.keys().next().copied().unwrap_or(state.released);
            // Variants that clients were given before the run was interrupted are completed in any
            // case: the time limit applies to new ones.
            let late = match oldest < self.context.reached {
                true => self.context.budget.stop_requested(),
                false => self.context.budget.ends_variants(),
            };
            let broken = self.context.log.broken();
            if late || broken || !state.active.contains(&true) {
                return None;
            }
            if role != Role::Builds
                && let Some(job) = state.next_job(self.context.settings)
            {
                return Some(Task::Run(job));
            }
            let wanted = self.wanted(&state);
            let builds = role != Role::Runs && wanted;
            if builds && state.next < oldest.min(state.released) + WINDOW {
                let k = state.next;
                state.next += 1;
                return Some(Task::Build(k, self.request(&mut state, k)));
            }
            if !wanted && state.released == state.next && state.open.is_empty() {
                return None;
            }
            // Poll: `Stop` does not notify this condition variable.
            let waited = self.wake.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn request(&self, state: &mut State, k: u64) -> Request {
        match self.context.settings.guidance {
            Guidance::Guided => state.scheduler.request(k, finished_before(k)),
            Guidance::Edges => {
                let before = finished_before(k);
                let step = state.edges.step(k, InputScheduler::index(k, 0), before);
                step.map_or_else(|| state.scheduler.request(k, before), Request::of)
            }
            Guidance::Random => Request::of(self.plan.step(k)),
        }
    }

    /// Returns true if more variants are to be made.
    fn wanted(&self, state: &State) -> bool {
        let variants = self.context.settings.variants;
        state.results.variants.len() < variants && state.next < self.plan.max_steps(variants)
    }

    /// Releases the built variants, in the order of the plan.
    fn release(&self, state: &mut State) {
        while let Some(built) = state.built.remove(&state.released) {
            let k = state.released;
            state.released += 1;
            // It was built ahead and is not needed any more.
            if state.results.variants.len() >= self.context.settings.variants {
                continue;
            }
            let info = built.as_ref().ok().map(|built| &built.file.info);
            let new = info.filter(|i| state.seen.insert(digest::of_choices(&i.choices))).cloned();
            let is_new = new.is_some();
            if self.context.settings.guidance.learns() {
                state.scheduler.record(k, new);
            }
            match built {
                Ok(built) if is_new => self.release_one(state, k, &built),
                Ok(_) => {
                    state.results.repeated += 1;
                    self.skip(k, None, "the same choices as before".to_owned());
                }
                Err(why) => {
                    state.results.impossible += 1;
                    self.skip(k, None, why);
                }
            }
        }
    }

    fn release_one(&self, state: &mut State, k: u64, built: &BuiltVariant) {
        let Context { order, log, progress, .. } = self.context;
        state.results.variants.push(Arc::clone(&built.file.info));
        progress.inc(1);
        log.write(&Record::Variant {
            variant: k + 1,
            vary: built.vary.clone(),
            class: built.file.info.class,
            bytes: built.file.info.size,
            choices: built.file.info.choices.clone(),
        });
        for &client in *order {
            if !state.active[client] {
                continue;
            }
            if let Some((file, limits)) = self.file_for(state, k, built, client) {
                *state.open.entry(k).or_default() += 1;
                let (file, alone) = (Arc::clone(file), built.alone.clone());
                let waits = self.context.clients[client].waits();
                state.queue.push_back(Job { step: k, client, waits, file, limits, alone });
            }
        }
    }

    /// Returns the file for `client`, and the dimensions that are its known limits; `None` if it skips
    /// the variant.
    fn file_for<'b>(
        &self,
        state: &mut State,
        k: u64,
        built: &'b BuiltVariant,
        id: ClientId,
    ) -> Option<(&'b Arc<File>, Vec<String>)> {
        let client = &self.context.clients[id];
        let skip = |why: String| self.skip(k, Some(client.name().to_owned()), why);
        let ignores = client.ignores();
        let file = match built.reduced.iter().find(|(known, _)| known == ignores) {
            None => &built.file,
            Some((_, ReducedVariant::File(file))) => file,
            Some((_, ReducedVariant::Nothing)) => {
                skip("it ignores all that varies".to_owned());
                return None;
            }
            Some((_, ReducedVariant::Impossible(why))) => {
                skip(format!("not without what it ignores: {why}"));
                return None;
            }
        };
        let before = finished_before(k);
        let mut limits = Vec::new();
        if self.context.settings.guidance.learns() {
            let rules = &mut state.suppression[id];
            let feature = |dimension: &str| self.context.subject.is_feature(dimension);
            limits = rules.limits(before, &file.info.varied, feature);
            if limits.len() == file.info.varied.len() && !limits.is_empty() {
                skip(format!("known limits: {}", limits.join(", ")));
                return None;
            }
            if limits.is_empty()
                && let Some(why) = rules.objection(before, k, &file.info.varied)
            {
                skip(why);
                return None;
            }
        }
        if let Some(why) = state.hang_limits[id].objection(before, &file.info.varied) {
            skip(why.clone());
            state.results.skipped.push(Omission { client: id, why });
            return None;
        }
        Some((file, limits))
    }

    fn skip(&self, k: u64, client: Option<String>, why: String) {
        self.context.log.write(&Record::Skipped { variant: k + 1, client, why });
    }

    /// Runs a client on a file and records the result.
    fn run(&self, job: &Job) {
        let Job { step, client: id, file, limits, alone, .. } = job;
        let (step, id) = (*step, *id);
        let Context { subject, clients, sessions, log, progress, .. } = self.context;
        let Some(session) = &sessions[id] else { return };
        let client = clients[id].name().to_owned();
        let file = match reduce(*subject, limits, &file.info.choices) {
            None => Arc::clone(file),
            Some(ReducedVariant::File(file)) => file,
            Some(ReducedVariant::Nothing | ReducedVariant::Impossible(_)) => {
                let limits = limits.join(", ");
                self.skip(step, Some(client), format!("no such file without its limits: {limits}"));
                return self.lock().finish_job(step);
            }
        };
        let judged = session.judge(&file.bytes);
        let mut state = self.lock();
        match judged {
            Err(error) if GlueFailure::in_error(&error).is_some() => {
                let why = error.to_string();
                self.skip(step, Some(client), why.clone());
                state.results.skipped.push(Omission { client: id, why });
            }
            Err(error) => {
                if std::mem::replace(&mut state.active[id], false) {
                    let why = error.to_string();
                    log.write(&Record::Dropped { client, why: why.clone() });
                    state.results.dropped.push(Omission { client: id, why });
                    state.remove_jobs(id);
                }
            }
            Ok(None) => {}
            Ok(Some(cached)) => {
                let judgment = cached.judgment;
                log.write(&Record::result(step + 1, &client, &judgment, cached.took));
                let (varied, outcome) = (&file.info.varied, judgment.outcome);
                state.hang_limits[id].record(step, varied, outcome);
                // Without its limits, the file varies in other dimensions than was meant.
                let alone = alone.as_deref().filter(|_| limits.is_empty());
                state.suppression[id].record(step, alone, varied, outcome);
                if outcome.is_difference() {
                    state.findings += 1;
                    progress.set_message(match state.findings {
                        1 => "1 difference".to_owned(),
                        n => format!("{n} differences"),
                    });
                }
                let info = Arc::clone(&file.info);
                if let Some(edges) = cached.edges {
                    let (info, same) = (Arc::clone(&info), !outcome.is_difference());
                    state.edges.record(step, Reached { client: id, edges, info, same });
                }
                state.results.rows.push(Row { variant: step + 1, client: id, info, judgment });
            }
        }
        state.finish_job(step);
    }
}

impl State {
    /// Takes the first job that may run beside those that do.
    fn next_job(&mut self, settings: &Settings) -> Option<Job> {
        let most = [settings.jobs.max(1), settings.waiting.max(1)];
        let free = |job: &Job| self.running[usize::from(job.waits)] < most[usize::from(job.waits)];
        let at = self.queue.iter().position(free)?;
        let job = self.queue.remove(at)?;
        self.running[usize::from(job.waits)] += 1;
        Some(job)
    }

    /// Counts one client less at work on `step`.
    fn finish_job(&mut self, step: u64) {
        if let Some(left) = self.open.get_mut(&step) {
            *left -= 1;
            if *left == 0 {
                self.open.remove(&step);
            }
        }
    }

    /// Removes the jobs of a dropped client from the queue.
    fn remove_jobs(&mut self, client: ClientId) {
        let (removed, kept) = self.queue.drain(..).partition(|job| job.client == client);
        self.queue = kept;
        let removed: VecDeque<Job> = removed;
        for job in removed {
            self.finish_job(job.step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_threads_make_the_variants_of_many_runs() {
        let of = |jobs, waiting| {
            let roles = roles(jobs, 2, waiting);
            [Role::Builds, Role::Runs, Role::Both]
                .map(|role| roles.iter().filter(|r| **r == role).count())
        };
        assert_eq!(of(0, 0), [0, 0, 1]);
        assert_eq!(of(4, 0), [0, 0, 4]);
        assert_eq!(of(160, 0), [2, 160, 0]);
        assert_eq!(of(2, 16), [0, 16, 2]);
        assert_eq!(of(160, 16), [2, 176, 0]);
    }
}
