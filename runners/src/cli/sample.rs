//! `repfuzz sample`: draws representations of a canonical value by a spec's inverse.

use std::path::PathBuf;

use clap::Args;
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::{Limits, Record, RunError, to_json};
use inverter::solve::ChoiceSource;

use super::bounded::{Bounds, bounded};
use super::{SUCCESS, fail, say, spec};

/// Print representations of a canonical value, by a spec's inverse
///
/// Prints one representation per line, as JSON. Each one is normalized again and compared before it is printed.
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
    bounded(&args.bounds, move || {
        let pipeline = match spec::read(&work.spec) {
            Ok(pipeline) => pipeline,
            Err(code) => return code,
        };
        match sample(&work, &pipeline) {
            Ok(()) => SUCCESS,
            Err(why) => fail(why),
        }
    })
}

fn sample(args: &SampleArgs, pipeline: &Pipeline) -> Result<(), String> {
    let y = spec::record(&args.input, pipeline.last(), Side::Output)?;
    let mut failed: Option<String> = None;
    let mut made = 0;
    for index in 0..args.count {
        let mut source = ChoiceSource::seeded(args.run_seed, index);
        match pipeline.invert(&y, &mut source, &Limits::default()) {
            Ok(x) => {
                check(pipeline, &x, &y).map_err(|why| format!("sample {index}: {why}"))?;
                let mut line = to_json(pipeline.input(), &x);
                if args.choices {
                    line = serde_json::json!({ "x": line, "choices": source.recorded() });
                }
                say(line.to_string());
                made += 1;
            }
            // Other choices may succeed.
            Err(e) if matches!(*e.error, RunError::NoRepresentation(_)) => {
                failed.get_or_insert_with(|| format!("sample {index}: {e}"));
            }
            Err(e) => return Err(format!("sample {index}: {e}")),
        }
    }
    match failed {
        None => Ok(()),
        Some(why) => Err(format!("{made} of {} made; {why}", args.count)),
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
