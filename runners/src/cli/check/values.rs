//! The canonical values that a spec is checked with.

use std::time::{Duration, Instant};

use inverter::check::small_values_until;
use inverter::pipeline::Stage;
use inverter::program::Side;
use inverter::run::{Limits, Record, invert_value};
use inverter::solve::ChoiceSource;

use super::CheckArgs;
use crate::cli::spec;

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
    args: &CheckArgs,
    stages: &[Stage],
    seed: Option<&[Record]>,
) -> Result<Vec<Vec<Record>>, String> {
    let share = Duration::from_secs_f64(args.time_limit * PART) / stages.len().max(1) as u32;
    let mut out: Vec<Vec<Record>> = Vec::new();
    let mut after: Option<(&Stage, Vec<Record>)> = None;
    for (k, stage) in stages.iter().enumerate().rev() {
        let until = Instant::now() + share;
        let mut values: Vec<Record> = seed.iter().map(|values| values[k].clone()).collect();
        match after {
            None => {
                for path in &args.inputs {
                    values.push(spec::record(path, &stage.inverse().program, Side::Output)?);
                }
            }
            Some((after, of)) => {
                let made = of.iter().filter_map(|y| represented(after, y));
                for x in made.take_while(|_| Instant::now() < until) {
                    if !values.contains(&x) {
                        values.push(x);
                    }
                }
            }
        }
        let more = args.values.saturating_sub(values.len());
        if args.inputs.is_empty() && more > 0 {
            let small = small_values_until(stage.inverse(), args.values, 1, Some(until));
            let new: Vec<Record> = small.into_iter().filter(|y| !values.contains(y)).collect();
            values.extend(new.into_iter().take(more));
        }
        out.push(values.clone());
        after = Some((stage, values));
    }
    out.reverse();
    Ok(out)
}

/// Returns a representation of `y`, if the stage makes one.
fn represented(stage: &Stage, y: &Record) -> Option<Record> {
    let mut source = ChoiceSource::seeded(0, 0);
    invert_value(stage.inverse(), y, &mut source, &Limits::default()).ok()
}
