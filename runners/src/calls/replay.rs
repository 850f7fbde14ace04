//! Replays the sequences of a model on a seed and its variants.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use inverter::solve::Choices;

use super::driver::{Driver, Replayed, Verdict};
use super::finding::{File, Finding};
use super::model::{Model, Suite};
use super::reduce::Reducer;
use super::result::{CallsRun, DriverResult};
use crate::campaign::{Plan, Stop, map};
use crate::digest;
use crate::subject::Subject;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Number of variants.
    pub variants: usize,
    /// Run seed.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
    /// Time after which no more variants are made.
    pub time: Option<Duration>,
}

/// Replays the sequences of a model on a seed and its variants, with each driver, and reduces what does
/// otherwise. Returns the suite as well.
///
/// # Errors
///
/// One line: the model has no graph, or a driver cannot be run.
pub fn run(
    model: &Model,
    drivers: &[Driver],
    subject: &dyn Subject,
    seed_file: &str,
    settings: &Settings,
    stop: &Stop,
) -> Result<(CallsRun, Suite), String> {
    let suite = model.suite(subject.further_pages().len() + 1)?;
    let files = files(subject, settings, stop);
    let sequences: Vec<_> = suite.sequences.iter().collect();
    let mut out = CallsRun {
        seed: seed_file.to_owned(),
        model: model.name.clone(),
        nodes: suite.graph.regions(),
        edges: suite.graph.edges.len(),
        sequences: sequences.len(),
        files: files.len(),
        drivers: Vec::new(),
        causes: Vec::new(),
    };
    for driver in drivers {
        let replayed = map(settings.jobs, &files, |_, file: &File| {
            driver.replay(&suite.graph, &sequences, &file.bytes, false)
        });
        let replayed = replayed.into_iter().collect::<io::Result<Vec<Replayed>>>();
        let replayed = replayed.map_err(|e| e.to_string())?;
        let (result, findings) = counted(driver, &replayed);
        let reducer = Reducer { driver, suite: &suite, subject, files: &files, stop };
        out.causes.extend(reducer.causes(&findings).map_err(|e| e.to_string())?);
        out.drivers.push(result);
    }
    Ok((out, suite))
}

/// The seed and distinct variants of it.
fn files(subject: &dyn Subject, settings: &Settings, stop: &Stop) -> Vec<File> {
    let start = Instant::now();
    let plan = Plan::new(settings.variants, subject.dimensions());
    let seed = File { choices: Choices::new(), bytes: subject.seed_bytes().to_vec() };
    let mut known = BTreeSet::from([digest::hex(&seed.bytes)]);
    let mut files = vec![seed];
    let mut steps = 0..plan.max_steps(settings.variants);
    let late = || settings.time.is_some_and(|time| start.elapsed() > time);
    while files.len() <= settings.variants && !stop.ends_variants() && !late() {
        let missing = settings.variants + 1 - files.len();
        let some: Vec<_> =
            steps.by_ref().take(missing.clamp(1, 64)).map(|k| plan.step(k)).collect();
        if some.is_empty() {
            break;
        }
        let made = map(settings.jobs, &some, |_, step| {
            subject.variant(settings.seed, step.index, step.vary.clone()).ok()
        });
        for variant in made.into_iter().flatten() {
            if files.len() <= settings.variants && known.insert(digest::hex(&variant.bytes)) {
                let choices = variant.differing_from(subject.own_choices());
                files.push(File { choices, bytes: variant.bytes });
            }
        }
    }
    files
}

/// Counts verdicts, and collects those that are differences.
fn counted(driver: &Driver, replayed: &[Replayed]) -> (DriverResult, Vec<Finding>) {
    let mut result = DriverResult {
        name: driver.name().to_owned(),
        version: driver.version().to_owned(),
        ..DriverResult::default()
    };
    let mut findings = Vec::new();
    for (file, replayed) in replayed.iter().enumerate() {
        let verdicts = match replayed {
            Replayed::Unread(_) => {
                result.unread += 1;
                continue;
            }
            Replayed::Verdicts(verdicts) => verdicts,
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
