//! `repfuzz sample`: representations of a canonical value, by a spec's inverse.

use std::path::PathBuf;

use clap::Args;
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::{Limits, RunError, Value, to_json};
use inverter::solve::ChoiceSource;

use super::bounded::{Bounds, bounded};
use super::{FINE, say, spec, trouble};

/// Run the inverse of a spec on a canonical value: a representation a line, as JSON.
///
/// Each one is normalized again and compared before it is printed.
#[derive(Debug, Clone, Args)]
pub struct SampleArgs {
    /// The normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// The canonical value: the fields of the spec's output record
    #[arg(short, long, value_name = "Y.json")]
    pub input: PathBuf,
    /// How many representations
    #[arg(short = 'n', long = "samples", default_value_t = 1, value_name = "N")]
    pub count: u64,
    /// The run's number: all randomness comes from it
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Print the choices too: each line is {"x": the representation, "choices": {..}}
    #[arg(long)]
    pub choices: bool,
    /// How long it may take.
    #[command(flatten)]
    pub bounds: Bounds,
}

/// Runs the command; gives the exit code.
pub fn run(args: &SampleArgs) -> u8 {
    let work = args.clone();
    bounded(&args.bounds, move || {
        let pipeline = match spec::read(&work.spec) {
            Ok(pipeline) => pipeline,
            Err(code) => return code,
        };
        match sample(&work, &pipeline) {
            Ok(()) => FINE,
            Err(why) => trouble(why),
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
            // Other choices may do.
            Err(e) if matches!(e.error, RunError::NoRepresentation(_)) => {
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

/// Whether a representation means what it was made of.
fn check(pipeline: &Pipeline, x: &Value, y: &Value) -> Result<(), String> {
    let defect = "the spec, a primitive or the inverse is wrong";
    match pipeline.normalize(x) {
        Ok(back) if back == *y => Ok(()),
        Ok(_) => Err(format!("it has another canonical value: {defect}")),
        Err(e) => Err(format!("it is refused, {e}: {defect}")),
    }
}
