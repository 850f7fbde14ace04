//! Replays the sequences of a model on a seed and its variants.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use interfaces::suite::Sequence;
use inverter::solve::Choices;

use super::driver::{Driver, Replayed, Verdict};
use super::evidence::{Case, merged};
use super::finding::{File, Finding};
use super::model::{Model, Suite};
use super::probe::Probe;
use super::reduce::Reducer;
use super::result::{CallsRun, Cause, DriverResult};
use campaign::{Budget, Plan, Stop, map};
use clients::digest;
use equivalents::subject::Subject;

/// The minimum size in bytes of a file whose sequences are split, and the number of parts.
const LARGE: usize = 256 << 10;
const PARTS: usize = 8;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Number of variants.
    pub variants: usize,
    /// Run seed.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
    /// The time after which no more variants are made or tried.
    pub time: Option<Duration>,
    /// The time, counted from when the variants are finished, after which no more differences are reduced.
    pub reduce_time: Option<Duration>,
}

/// Replays the sequences of a model on a seed and its variants with each driver, and reduces the differences. Also
/// returns the suite.
///
/// # Errors
///
/// Returns a one-line message if the model has no graph or a driver cannot be run.
pub fn run(
    model: &Model,
    drivers: &[Driver],
    subject: &dyn Subject,
    seed_file: &str,
    settings: &Settings,
    stop: &Stop,
) -> Result<(CallsRun, Suite), String> {
    let suite = model.suite(subject.further_pages().len() + 1)?;
    let budget = Budget::new(stop, settings.time).with_reduce_time(settings.reduce_time);
    let mut source = Source::new(subject, settings);
    let mut files: Vec<File> = Vec::new();
    let mut replayed: Vec<Vec<Option<Replayed>>> = drivers.iter().map(|_| Vec::new()).collect();
    loop {
        let some = source.next(&budget);
        if some.is_empty() {
            break;
        }
        for (driver, replayed) in drivers.iter().zip(&mut replayed) {
            let answers = on_files(driver, &suite, &some, settings.jobs, &budget);
            replayed.extend(answers.map_err(|e| e.to_string())?);
        }
        files.extend(some);
    }
    let mut out = CallsRun {
        seed: seed_file.to_owned(),
        model: model.name.clone(),
        nodes: suite.graph.regions(),
        edges: suite.graph.edges.len(),
        sequences: suite.sequences.len(),
        files: files.len(),
        drivers: Vec::new(),
        causes: Vec::new(),
    };
    budget.begin_reduction();
    let mut cases = Vec::new();
    for (driver, replayed) in drivers.iter().zip(&replayed) {
        let (mut result, findings) = counted(driver, replayed);
        let probe = Probe { driver, suite: &suite };
        let (seed, jobs, budget) = (seed_file, settings.jobs, &budget);
        let reducer = Reducer { probe, subject, seed, files: &files, jobs, budget };
        let reduced = reducer.causes(&findings).map_err(|e| e.to_string())?;
        result.unreduced = reduced.unreduced;
        cases.extend(reduced.causes.into_iter().map(|cause| Case { cause, probe }));
        out.drivers.push(result);
    }
    let merged = merged(cases, &budget).map_err(|e| e.to_string())?;
    out.causes = merged.into_iter().map(|case| case.cause).collect();
    Ok((out, suite))
}

/// Replays all sequences on some files; `None` for files that were not tried because the time was over. The sequences
/// of a large file are split so that one file keeps several processors busy.
fn on_files(
    driver: &Driver,
    suite: &Suite,
    files: &[File],
    jobs: usize,
    budget: &Budget,
) -> io::Result<Vec<Option<Replayed>>> {
    let sequences: Vec<&Sequence> = suite.sequences.iter().collect();
    let late: Vec<OnceLock<bool>> = files.iter().map(|_| OnceLock::new()).collect();
    let mut parts: Vec<(usize, &[&Sequence])> = Vec::new();
    for (place, file) in files.iter().enumerate() {
        // The number of parts does not depend on the number of processors, because that must not affect which sequences
        // run in one process.
        let count = if file.bytes.len() < LARGE { 1 } else { PARTS };
        let length = sequences.len().div_ceil(count).max(1);
        parts.extend(sequences.chunks(length).map(|part| (place, part)));
    }
    let answers = map(jobs, &parts, |_, (place, part): &(usize, &[&Sequence])| {
        let file = &files[*place];
        // The seed is always tried.
        let is_late = || budget.ends_variants() && !file.choices.is_empty();
        if *late[*place].get_or_init(is_late) {
            return Ok(None);
        }
        driver.replay(&suite.graph, part, &file.bytes, false).map(Some)
    });
    let mut out: Vec<Option<Replayed>> =
        files.iter().map(|_| Some(Replayed::Verdicts(Vec::new()))).collect();
    for ((place, _), answer) in parts.iter().zip(answers) {
        let whole = &mut out[*place];
        match (whole.as_mut(), answer?) {
            (Some(Replayed::Verdicts(all)), Some(Replayed::Verdicts(some))) => all.extend(some),
            (Some(Replayed::Verdicts(_)), other) => *whole = other,
            _ => {}
        }
    }
    Ok(out)
}

/// Merges the causes of several seeds that are the same fault. `runs` are results of [`run`], each with its suite.
///
/// # Errors
///
/// Returns a one-line message: a driver cannot be run.
pub fn across(
    runs: &[(CallsRun, Suite)],
    drivers: &[Driver],
    settings: &Settings,
    stop: &Stop,
) -> Result<Vec<Cause>, String> {
    let budget = Budget::new(stop, None).with_reduce_time(settings.reduce_time);
    budget.begin_reduction();
    let mut cases = Vec::new();
    for (run, suite) in runs {
        for cause in &run.causes {
            if let Some(driver) = drivers.iter().find(|d| d.name() == cause.driver) {
                cases.push(Case { cause: cause.clone(), probe: Probe { driver, suite } });
            }
        }
    }
    let merged = merged(cases, &budget).map_err(|e| e.to_string())?;
    Ok(merged.into_iter().map(|case| case.cause).collect())
}

/// Makes the files on which sequences are replayed: the seed, and distinct variants of it.
struct Source<'a> {
    subject: &'a dyn Subject,
    settings: &'a Settings,
    plan: Plan,
    steps: Range<u64>,
    known: BTreeSet<String>,
}

impl<'a> Source<'a> {
    fn new(subject: &'a dyn Subject, settings: &'a Settings) -> Self {
        let plan = Plan::new(settings.variants, subject.dimensions());
        let steps = 0..plan.max_steps(settings.variants);
        Self { subject, settings, plan, steps, known: BTreeSet::new() }
    }

    /// Returns the next files: first the seed alone; none once there are enough or the time is over. Under a time
    /// limit, returns few files at a time, so that no time is spent on files that are never tried.
    fn next(&mut self, budget: &Budget) -> Vec<File> {
        let Self { subject, settings, .. } = *self;
        if self.known.is_empty() {
            let seed = File { choices: Choices::new(), bytes: subject.seed_bytes().to_vec() };
            self.known.insert(digest::hex(&seed.bytes));
            return vec![seed];
        }
        let most = if settings.time.is_some() { 2 * settings.jobs } else { 64 };
        let mut files = Vec::new();
        while files.is_empty() && !budget.ends_variants() {
            let missing = settings.variants + 1 - self.known.len();
            let plan = &self.plan;
            let some: Vec<_> =
                self.steps.by_ref().take(missing.min(most)).map(|k| plan.step(k)).collect();
            if some.is_empty() {
                break;
            }
            let made = map(settings.jobs, &some, |_, step| {
                subject.variant(settings.seed, step.index, step.vary.clone()).ok()
            });
            for variant in made.into_iter().flatten() {
                if self.known.insert(digest::hex(&variant.bytes)) {
                    let choices = variant.differing_from(subject.own_choices());
                    files.push(File { choices, bytes: variant.bytes });
                }
            }
        }
        files
    }
}

/// Counts verdicts, and collects those that are differences.
fn counted(driver: &Driver, replayed: &[Option<Replayed>]) -> (DriverResult, Vec<Finding>) {
    let mut result = DriverResult {
        name: driver.name().to_owned(),
        version: driver.version().to_owned(),
        ..DriverResult::default()
    };
    let mut findings = Vec::new();
    for (file, replayed) in replayed.iter().enumerate() {
        let verdicts = match replayed {
            None => {
                result.late += 1;
                continue;
            }
            Some(Replayed::Unread(_)) => {
                result.unread += 1;
                continue;
            }
            Some(Replayed::Verdicts(verdicts)) => verdicts,
        };
        for (sequence, verdict) in verdicts.iter().enumerate() {
            match verdict {
                Verdict::NotRun => result.not_run += 1,
                Verdict::Fine { not_here, accepted } => {
                    result.run += 1;
                    result.partly += usize::from(*not_here > 0);
                    result.accepted += usize::from(*accepted);
                }
                Verdict::Fault { kind, call, .. } => {
                    result.run += 1;
                    result.count(*kind);
                    findings.push(Finding { file, sequence, kind: *kind, call: *call });
                }
            }
        }
    }
    (result, findings)
}
