//! `repfuzz sample`: draws representations of a canonical value by a spec's inverse.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use checks::Failures;
use clap::Args;
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::{AsJson, Limits, Record, RunError};
use inverter::solve::{ChoiceSource, Choices};
use serde::Serialize;

use super::bounded::{Bounds, bounded_by};
use super::{SUCCESS, fail, note, say_json, spec};

/// Print representations of a canonical value, by a spec's inverse
///
/// Prints one representation per line, as JSON. Each one is normalized again and compared before it is printed.
/// Draws without a representation are counted by the condition that fails them. At the time limit, those that
/// were printed are kept, and counted.
#[derive(Debug, Clone, Args)]
pub struct SampleArgs {
    /// Normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Canonical value: the fields of the spec's output record
    #[arg(short, long, value_name = "Y.json")]
    pub input: PathBuf,
    /// Number of representations
    #[arg(short = 'n', long = "samples", default_value_t = 1, value_name = "N")]
    pub count: u64,
    /// Run seed, from which all randomness derives
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Also print the choices: each line is {"x": the representation, "choices": {..}}
    #[arg(long)]
    pub choices: bool,
    /// Time limit.
    #[command(flatten)]
    pub bounds: Bounds,
}

/// Runs the command; returns the exit code.
pub fn run(args: &SampleArgs) -> u8 {
    let work = args.clone();
    let progress: Arc<Mutex<Progress>> = Arc::default();
    let (own, count) = (Arc::clone(&progress), args.count);
    let so_far = move || own.lock().unwrap_or_else(PoisonError::into_inner).report(count);
    bounded_by(args.bounds.time, "--time", so_far, move || {
        let pipeline = match spec::read(&work.spec) {
            Ok(pipeline) => pipeline,
            Err(code) => return code,
        };
        match sample(&work, &pipeline, &progress) {
            Ok(()) => SUCCESS,
            Err(why) => fail(why),
        }
    })
}

/// A representation with the choices that led to it.
#[derive(Serialize)]
struct WithChoices<'a> {
    x: AsJson<'a>,
    choices: &'a Choices,
}

/// The draws so far.
#[derive(Debug, Default)]
struct Progress {
    /// The number of representations that were printed.
    made: u64,
    /// The number of the first draw that failed, and its message.
    first: Option<(u64, String)>,
    failed: Failures,
}

impl Progress {
    /// Prints the failures of several draws by bound. Returns the number of representations that were made, and the
    /// failure if there is exactly one.
    fn report(&self, count: u64) -> String {
        let made = format!("{} of {count} made", self.made);
        match (&self.first, self.failed.count()) {
            (None, _) => made,
            (Some((index, why)), 1) => format!("{made}; sample {index}: {why}"),
            (Some((index, _)), failed) => {
                for (n, why) in self.failed.by_bound() {
                    note(format_args!("{n} of the draws fail: {why}"));
                }
                format!("{made}; {failed} draws failed, the first of them is sample {index}")
            }
        }
    }
}

fn sample(
    args: &SampleArgs,
    pipeline: &Pipeline,
    progress: &Mutex<Progress>,
) -> Result<(), String> {
    let y = spec::record(&args.input, pipeline.last(), Side::Output)?;
    let progress = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    for index in 0..args.count {
        let mut source = ChoiceSource::seeded(args.run_seed, index);
        match pipeline.invert(&y, &mut source, &Limits::default()) {
            Ok(x) => {
                check(pipeline, &x, &y).map_err(|why| format!("sample {index}: {why}"))?;
                let x = AsJson { record: pipeline.input(), value: &x };
                // Count it when it is printed, because the time may be over at any moment.
                let mut progress = progress();
                match args.choices {
                    true => say_json(&WithChoices { x, choices: source.recorded() }),
                    false => say_json(&x),
                }
                progress.made += 1;
            }
            // Other choices may succeed.
            Err(e) if matches!(*e.error, RunError::NoRepresentation(_)) => {
                let why = e.to_string();
                let mut progress = progress();
                progress.failed.add(&why);
                progress.first.get_or_insert((index, why));
            }
            Err(e) => return Err(format!("sample {index}: {e}")),
        }
    }
    let progress = progress();
    match progress.first {
        None => Ok(()),
        Some(_) => Err(progress.report(args.count)),
    }
}

/// Checks that a representation normalizes to the value that it was made from.
fn check(pipeline: &Pipeline, x: &Record, y: &Record) -> Result<(), String> {
    let blame = "the spec, a primitive or the inverse is wrong";
    match pipeline.normalize(x) {
        Ok(back) if back == *y => Ok(()),
        Ok(_) => Err(format!("it has another canonical value: {blame}")),
        Err(e) => Err(format!("it is refused, {e}: {blame}")),
    }
}
