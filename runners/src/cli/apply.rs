//! `repfuzz apply`: runs a spec forwards.

use std::path::PathBuf;

use clap::Args;
use inverter::pipeline::Pipeline;
use inverter::program::Side;
use inverter::run::AsJson;

use super::bounded::{Bounds, bounded};
use super::{SUCCESS, fail, say_json, spec};

/// Print the canonical value of a representation, by a spec
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    /// Normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Representation: the fields of the spec's input record
    #[arg(short, long, value_name = "X.json")]
    pub input: PathBuf,
    /// Time limit.
    #[command(flatten)]
    pub bounds: Bounds,
}

/// Runs the command; returns the exit code.
pub fn run(args: &ApplyArgs) -> u8 {
    let work = args.clone();
    bounded(&args.bounds, move || {
        let pipeline = match spec::read(&work.spec) {
            Ok(pipeline) => pipeline,
            Err(code) => return code,
        };
        match apply(&work, &pipeline) {
            Ok(()) => SUCCESS,
            Err(why) => fail(why),
        }
    })
}

fn apply(args: &ApplyArgs, pipeline: &Pipeline) -> Result<(), String> {
    let x = spec::record(&args.input, pipeline.first(), Side::Input)?;
    let y = pipeline.normalize(&x).map_err(|e| format!("{}: {e}", args.input.display()))?;
    say_json(&AsJson { record: pipeline.output(), value: &y });
    Ok(())
}
