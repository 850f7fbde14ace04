//! The canonical values with which a spec is checked.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use checks::{moderate_values_until, small_values_until};
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::{Limits, Record};
use inverter::solve::ChoiceSource;

use crate::cli::spec;

/// The values that a user wants.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Files of values of the last stage.
    pub inputs: Vec<PathBuf>,
    /// The file of a value that the spec names.
    pub own: Option<PathBuf>,
    /// The number of small values for each stage.
    pub small: usize,
    /// The number of values of moderate size for each stage.
    pub moderate: usize,
}

/// The values of one stage.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    /// Small values, for which all representations are enumerated, and values from a seed or the user.
    pub small: Vec<Record>,
    /// Values of moderate size, for which some representations are drawn.
    pub moderate: Vec<Record>,
}

impl Values {
    pub(super) fn all(&self) -> impl Iterator<Item = &Record> {
        self.small.iter().chain(&self.moderate)
    }
}

/// The values that are found so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The values of each stage, the last stage first.
    pub values: Vec<Values>,
    /// The reason why a user's value cannot be read, in one line.
    pub error: Option<String>,
}

/// Finds values for each stage until the given time: first the value of a seed, then the user's values, then small
/// values and values of moderate size. Representations that a stage makes are values of the previous stage, so stages
/// also get values that they would not generate themselves.
pub(super) fn of_stages(
    wanted: &Wanted,
    pipeline: &Pipeline,
    seed: Option<&[Record]>,
    until: Instant,
    out: &Mutex<Found>,
) {
    let stages = pipeline.stages();
    let update = || out.lock().unwrap_or_else(PoisonError::into_inner);
    let mut after: Option<Values> = None;
    for k in (0..stages.len()).rev() {
        let left = until.saturating_duration_since(Instant::now());
        let until = Instant::now() + left / u32::try_from(k + 1).unwrap_or(1);
        let mut values = Values::default();
        values.small.extend(seed.iter().map(|values| values[k].clone()));
        match &after {
            None => {
                for path in wanted.inputs.iter().chain(&wanted.own) {
                    match spec::record(path, &stages[k].inverse().program, Side::Output) {
                        Ok(y) => values.small.push(y),
                        Err(why) => {
                            update().error = Some(why);
                            return;
                        }
                    }
                }
            }
            Some(after) => {
                for (from, to) in
                    [(&after.small, &mut values.small), (&after.moderate, &mut values.moderate)]
                {
                    let made = from.iter().filter_map(|y| before(pipeline, k + 1, y));
                    for x in made.take_while(|_| Instant::now() < until) {
                        // The next stage may accept values for which there is no file.
                        if !to.contains(&x) && before(pipeline, k, &x).is_some() {
                            to.push(x);
                        }
                    }
                }
            }
        }
        if wanted.inputs.is_empty() {
            more(wanted, pipeline, k, until, &mut values);
        }
        update().values.push(values.clone());
        after = Some(values);
    }
}

/// Adds small values and those of moderate size until there are as many as wanted.
fn more(wanted: &Wanted, pipeline: &Pipeline, k: usize, until: Instant, values: &mut Values) {
    let inverse = pipeline.stages()[k].inverse();
    let missing = wanted.small.saturating_sub(values.small.len());
    if missing > 0 {
        let now = Instant::now();
        let half = now + until.saturating_duration_since(now) / 2;
        let small = small_values_until(inverse, wanted.small, 1, Some(half));
        let new: Vec<Record> = small.into_iter().filter(|y| !values.small.contains(y)).collect();
        values.small.extend(new.into_iter().take(missing));
    }
    let missing = wanted.moderate.saturating_sub(values.moderate.len());
    let new = moderate_values_until(inverse, missing, 1, until);
    values.moderate.extend(new.into_iter().filter(|y| !values.small.contains(y)));
}

/// Returns what stage `k` makes from `y`, if it makes anything: a canonical value of the previous stage.
fn before(pipeline: &Pipeline, k: usize, y: &Record) -> Option<Record> {
    /// A draw may fail even if others succeed.
    const TRIES: u64 = 3;
    (0..TRIES).find_map(|index| {
        let mut source = ChoiceSource::seeded(0, index);
        pipeline.invert_stage(k, y.clone(), &mut source, &Limits::default()).ok()
    })
}
