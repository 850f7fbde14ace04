//! The canonical values that a spec is checked with.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use inverter::check::small_values_until;
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::{Limits, Record};
use inverter::solve::ChoiceSource;

use crate::cli::spec;

/// The values that a user wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Files of values of the last stage.
    pub inputs: &'a [PathBuf],
    /// The number of values for each stage.
    pub count: usize,
    /// The time limit of the whole check, in seconds.
    pub time_limit: f64,
}

/// The part of the time limit for finding values.
const PART: f64 = 0.15;

/// Returns the values for each stage: first that of a seed, then those of the user, then small ones.
/// Representations that a stage makes are values of the stage before it, so that stages have values that
/// none of their own makes up.
///
/// # Errors
///
/// If a user's value cannot be read, in one line.
pub(super) fn of_stages(
    wanted: Wanted<'_>,
    pipeline: &Pipeline,
    seed: Option<&[Record]>,
) -> Result<Vec<Vec<Record>>, String> {
    let stages = pipeline.stages();
    let share = Duration::from_secs_f64(wanted.time_limit * PART) / stages.len().max(1) as u32;
    let mut out: Vec<Vec<Record>> = Vec::new();
    let mut after: Option<Vec<Record>> = None;
    for (k, stage) in stages.iter().enumerate().rev() {
        let until = Instant::now() + share;
        let mut values: Vec<Record> = seed.iter().map(|values| values[k].clone()).collect();
        match after {
            None => {
                for path in wanted.inputs {
                    values.push(spec::record(path, &stage.inverse().program, Side::Output)?);
                }
            }
            Some(after) => {
                let made = after.iter().filter_map(|y| before(pipeline, k + 1, y));
                for x in made.take_while(|_| Instant::now() < until) {
                    // The stage after may take values of which there is no file.
                    if !values.contains(&x) && before(pipeline, k, &x).is_some() {
                        values.push(x);
                    }
                }
            }
        }
        let more = wanted.count.saturating_sub(values.len());
        if wanted.inputs.is_empty() && more > 0 {
            let small = small_values_until(stage.inverse(), wanted.count, 1, Some(until));
            let new: Vec<Record> = small.into_iter().filter(|y| !values.contains(y)).collect();
            values.extend(new.into_iter().take(more));
        }
        out.push(values.clone());
        after = Some(values);
    }
    out.reverse();
    Ok(out)
}

/// Returns what stage `k` makes of `y`, if it makes anything: a canonical value of the stage before.
fn before(pipeline: &Pipeline, k: usize, y: &Record) -> Option<Record> {
    /// A draw may fail, although others do not.
    const TRIES: u64 = 3;
    (0..TRIES).find_map(|index| {
        let mut source = ChoiceSource::seeded(0, index);
        pipeline.invert_stage(k, y.clone(), &mut source, &Limits::default()).ok()
    })
}
