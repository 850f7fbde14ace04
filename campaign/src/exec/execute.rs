//! Runs the clients on their files, on all threads. The results do not depend on the number of threads.
//!
//! Files are built in any order within a window, but *released* to the clients in the order of the
//! plan. Each track of clients has its own file in a step; duplicates are dropped when it is released.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inverter::solve::Choices;

use super::build::{BuiltVariant, File, build};
use super::context::Context;
use super::given::run_given;
use super::start::tracks;
use crate::oracle::Outcome;
use crate::records::{ClientId, ExecutionResults, Omission, Record, Row};
use crate::runtime::processors;
use crate::schedule::{
    EdgeGuide, HangLimit, InputScheduler, Plan, Quota, Reached, Request, Tracks,
};
use crate::settings::{Guidance, Settings};
use clients::GlueFailure;
use clients::digest;

/// The distance from the oldest unfinished step within which steps may start: large enough to keep threads busy, and
/// small enough that a client which always hangs is detected soon.
const WINDOW: u64 = 16;

enum Task {
    /// A file to build: its step, and its position among the files of that step.
    Build(u64, usize, Request),
    Run(Job),
}

/// A client to run on a file.
struct Job {
    step: u64,
    /// The number of the file.
    variant: u64,
    client: ClientId,
    /// See [`clients::Client::waits`].
    waits: bool,
    file: Arc<File>,
}

/// The file of one track in a step.
struct Slot {
    clients: Vec<ClientId>,
    /// The file, once it is built.
    built: Option<Result<BuiltVariant, String>>,
}

struct State {
    next: u64,
    released: u64,
    /// Files that no thread has begun to build.
    to_build: VecDeque<(u64, usize, Request)>,
    /// The files of steps that have not been released.
    steps: BTreeMap<u64, Vec<Slot>>,
    /// The choices of the files that each client has been given.
    seen: Vec<HashSet<digest::Key>>,
    queue: VecDeque<Job>,
    /// The current runs of clients that compute, and of those that wait.
    running: [usize; 2],
    /// Released files by step and number, with the number of clients that have not finished.
    open: BTreeMap<(u64, u64), usize>,
    tracks: Tracks,
    quotas: Vec<Quota>,
    edges: EdgeGuide,
    hang_limits: Vec<HangLimit>,
    active: Vec<bool>,
    findings: usize,
    /// For each client, the number of steps that repeated a file, and the number of steps for which no file exists.
    repeated: Vec<usize>,
    impossible: Vec<usize>,
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
        // No variant repeats the seed; except for bytes that no dimension describes, it would be the same file.
        seen.insert(digest::of_choices(&given.differing_from(context.subject.own_choices())));
    }
    let count = context.clients.len();
    let quota = Quota::new(settings.variants, settings.guidance.learns());
    let engine = Engine {
        context,
        plan: Plan::new(settings.variants, context.subject.dimensions()),
        state: Mutex::new(State {
            next: 0,
            released: 0,
            to_build: VecDeque::new(),
            steps: BTreeMap::new(),
            seen: vec![seen; count],
            queue: VecDeque::new(),
            running: [0, 0],
            open: BTreeMap::new(),
            tracks: tracks(context, &results.rows),
            quotas: vec![quota; count],
            edges: EdgeGuide::new(settings.seed, context.subject.dimensions(), context.seed_edges),
            hang_limits: vec![HangLimit::new(settings.hang_limit); count],
            active: context.sessions.iter().map(Option::is_some).collect(),
            findings: results.rows.iter().filter(|row| row.outcome().is_difference()).count(),
            repeated: vec![0; count],
            impossible: vec![0; count],
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
        context.budget.ends_variants() && (!engine.is_done(&state) || !state.queue.is_empty());
    drop(state);
    let state = engine.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut results = state.results;
    results.files = state.quotas.iter().map(Quota::given).max().unwrap_or(0);
    results.repeated = state.repeated.into_iter().max().unwrap_or(0);
    results.impossible = state.impossible.into_iter().max().unwrap_or(0);
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

/// Returns the roles of the threads for `jobs` simultaneous runs. If most runs wait for other machines, a few threads
/// make all variants, because each thread that makes some keeps megabytes. There are `waiting` more threads for runs
/// that wait for their programs.
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

/// Returns a step such that all earlier steps are finished when step `k` starts, with any number of threads.
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
                Task::Build(k, place, request) => {
                    let Context { subject, settings, .. } = self.context;
                    let built = build(*subject, settings.seed, &request);
                    let mut state = self.lock();
                    if let Some(slot) = state.steps.get_mut(&k).and_then(|s| s.get_mut(place)) {
                        slot.built = Some(built);
                    }
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
            let of_next = (state.released, state.results.variants.len() as u64 + 1);
            let (oldest, variant) = state.open.keys().next().copied().unwrap_or(of_next);
            // Files that clients were given before the run was interrupted are completed in any case, because the time
            // limit applies only to new ones.
            let late = match variant <= self.context.reached {
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
            if role != Role::Runs {
                let wanted = state.to_build.is_empty() && self.wanted(&state);
                if wanted && state.next < oldest.min(state.released) + WINDOW {
                    self.plan_step(&mut state);
                }
                if let Some((k, place, request)) = state.to_build.pop_front() {
                    return Some(Task::Build(k, place, request));
                }
            }
            let idle = state.released == state.next && state.open.is_empty();
            if idle && self.is_done(&state) {
                return None;
            }
            // Poll: `Stop` does not notify this condition variable.
            let waited = self.wake.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Requests the files of the next step.
    fn plan_step(&self, state: &mut State) {
        let k = state.next;
        state.next += 1;
        let before = finished_before(k);
        let State { tracks, edges, active, quotas, .. } = state;
        let guidance = self.context.settings.guidance;
        let step = match guidance {
            Guidance::Guided => None,
            Guidance::Edges => edges.step(k, InputScheduler::index(k, 0), before),
            Guidance::Random => Some(self.plan.step(k)),
        };
        let before = if guidance.learns() { before } else { 0 };
        let mut slots = Vec::new();
        for track in tracks.at(before) {
            if track.clients.iter().all(|client| !active[*client] || quotas[*client].is_full()) {
                continue;
            }
            let request = match &step {
                Some(step) => track.scheduler.request_for(k, step.clone()),
                None => track.scheduler.request(k),
            };
            state.to_build.push_back((k, slots.len(), request));
            slots.push(Slot { clients: track.clients.clone(), built: None });
        }
        state.steps.insert(k, slots);
    }

    /// Returns true if more files are to be made, unless files in progress are refused.
    fn wanted(&self, state: &State) -> bool {
        let more = |client: &Quota| !client.is_full() && !client.is_covered();
        self.any_client(state, more)
    }

    /// Returns true if no more files are to be made, whatever the results are.
    fn is_done(&self, state: &State) -> bool {
        !self.any_client(state, |client| !client.is_full())
    }

    fn any_client(&self, state: &State, wants: impl Fn(&Quota) -> bool) -> bool {
        let mut clients = state.active.iter().zip(&state.quotas);
        state.next < self.plan.max_steps(self.context.settings.variants)
            && clients.any(|(active, quota)| *active && wants(quota))
    }

    /// Releases the files that are built, in the order of the plan.
    fn release(&self, state: &mut State) {
        while let Some(entry) = state.steps.first_entry() {
            let k = *entry.key();
            if k != state.released || entry.get().iter().any(|slot| slot.built.is_none()) {
                return;
            }
            state.released += 1;
            let first = state.results.variants.len();
            for Slot { clients, built } in entry.remove() {
                let Some(built) = built else { continue };
                self.release_one(state, k, first, clients, built);
            }
        }
    }

    /// Releases a file to those of its `clients` that want one and have not had this one. Step `k` starts with file
    /// number `first`, counted from 0.
    fn release_one(
        &self,
        state: &mut State,
        k: u64,
        first: usize,
        mut clients: Vec<ClientId>,
        built: Result<BuiltVariant, String>,
    ) {
        let before = finished_before(k);
        clients.retain(|client| state.active[*client] && state.quotas[*client].wants(before));
        let (skipped, why) = match &built {
            Err(why) => {
                clients.iter().for_each(|client| state.impossible[*client] += 1);
                (std::mem::take(&mut clients), why.as_str())
            }
            Ok(built) => {
                let key = digest::of_choices(&built.file.info.choices);
                let is_new = |client: &ClientId| state.seen[*client].insert(key);
                let (new, repeated): (Vec<_>, Vec<_>) = clients.into_iter().partition(is_new);
                clients = new;
                repeated.iter().for_each(|client| state.repeated[*client] += 1);
                (repeated, "the same choices as before")
            }
        };
        if !skipped.is_empty() {
            let name = |client: &ClientId| self.context.clients[*client].name().to_owned();
            let only = if let [only] = &skipped[..] { Some(name(only)) } else { None };
            self.skip(state.results.variants.len() as u64 + 1, only, why.to_owned());
        }
        if let (Ok(built), false) = (built, clients.is_empty()) {
            self.give(state, k, first, &clients, &built);
        }
    }

    /// Gives a file to `clients`. Tracks that have the same file in a step share its number.
    fn give(
        &self,
        state: &mut State,
        k: u64,
        first: usize,
        clients: &[ClientId],
        built: &BuiltVariant,
    ) {
        let Context { order, log, settings, .. } = self.context;
        let (file, info) = (&built.file, &built.file.info);
        let shared = state.results.variants[first..].iter().position(|other| other == info);
        let variant = match shared {
            Some(place) => (first + place + 1) as u64,
            None => {
                state.results.variants.push(Arc::clone(info));
                let variant = state.results.variants.len() as u64;
                log.write(&Record::Variant {
                    variant,
                    vary: built.vary.clone(),
                    class: info.class,
                    bytes: info.size,
                    choices: info.choices.clone(),
                });
                variant
            }
        };
        for &client in order.iter().filter(|client| clients.contains(client)) {
            state.quotas[client].give(k);
            if settings.guidance.learns() {
                state.tracks.made(k, client, info);
            }
            let before = finished_before(k);
            if let Some(why) = state.hang_limits[client].objection(before, &info.varied) {
                let name = self.context.clients[client].name().to_owned();
                self.skip(variant, Some(name), why.clone());
                state.results.skipped.push(Omission { client, why });
                state.quotas[client].record(k, true);
                continue;
            }
            *state.open.entry((k, variant)).or_default() += 1;
            let waits = self.context.clients[client].waits();
            state.queue.push_back(Job { step: k, variant, client, waits, file: Arc::clone(file) });
        }
    }

    fn skip(&self, variant: u64, client: Option<String>, why: String) {
        self.context.log.write(&Record::Skipped { variant, client, why });
    }

    /// Runs a client on a file and records the result.
    fn run(&self, job: &Job) {
        let Job { step, variant, client: id, file, .. } = job;
        let (step, variant, id) = (*step, *variant, *id);
        let Context { clients, sessions, log, progress, .. } = self.context;
        let Some(session) = &sessions[id] else { return };
        let client = clients[id].name().to_owned();
        let judged = session.judge(&file.bytes);
        let mut state = self.lock();
        match judged {
            Err(error) if GlueFailure::in_error(&error).is_some() => {
                let why = error.to_string();
                self.skip(variant, Some(client), why.clone());
                state.results.skipped.push(Omission { client: id, why });
                state.quotas[id].record(step, true);
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
                log.write(&Record::result(variant, &client, &judgment, cached.took));
                let (info, outcome) = (Arc::clone(&file.info), judgment.outcome);
                state.hang_limits[id].record(step, &info.varied, outcome);
                state.tracks.ran(step, id, outcome);
                state.quotas[id].record(step, outcome != Outcome::Refused);
                progress.set_position(state.done());
                if outcome.is_difference() {
                    state.findings += 1;
                    progress.set_message(match state.findings {
                        1 => "1 difference".to_owned(),
                        n => format!("{n} differences"),
                    });
                }
                if let Some(edges) = cached.edges {
                    let (info, same) = (Arc::clone(&info), !outcome.is_difference());
                    state.edges.record(step, Reached { client: id, edges, variant, info, same });
                }
                state.results.rows.push(Row { variant, client: id, info, judgment });
            }
        }
        state.finish_job(step, variant);
    }
}

impl State {
    /// Returns the number of files on which every client was judged.
    fn done(&self) -> u64 {
        let active = self.active.iter().zip(&self.quotas).filter(|(active, _)| **active);
        active.map(|(_, quota)| quota.done() as u64).min().unwrap_or(0)
    }

    /// Takes the first job that may run in addition to the running ones.
    fn next_job(&mut self, settings: &Settings) -> Option<Job> {
        let most = [settings.jobs.max(1), settings.waiting.max(1)];
        let free = |job: &Job| self.running[usize::from(job.waits)] < most[usize::from(job.waits)];
        let at = self.queue.iter().position(free)?;
        let job = self.queue.remove(at)?;
        self.running[usize::from(job.waits)] += 1;
        Some(job)
    }

    /// Counts one client less at work on a file.
    fn finish_job(&mut self, step: u64, variant: u64) {
        if let Some(left) = self.open.get_mut(&(step, variant)) {
            *left -= 1;
            if *left == 0 {
                self.open.remove(&(step, variant));
            }
        }
    }

    /// Removes the jobs of a dropped client from the queue.
    fn remove_jobs(&mut self, client: ClientId) {
        let (removed, kept) = self.queue.drain(..).partition(|job| job.client == client);
        self.queue = kept;
        let removed: VecDeque<Job> = removed;
        for job in removed {
            self.finish_job(job.step, job.variant);
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
