//! `repfuzz replay`: makes a variant again, byte for byte.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::solve::Choices;

use super::{Format, FormatArgs, ProfileName, SUCCESS, fail};
use crate::subject::{Subject, Variant};

/// Make the variant of given choices again, byte for byte
#[derive(Debug, Clone, Args)]
pub struct ReplayArgs {
    /// Seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Choices as JSON: an object from dimension to value, or a line of variants.jsonl; missing
    /// dimensions are as in the seed
    #[arg(long, value_name = "FILE")]
    pub choices: PathBuf,
    /// File for the variant
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Format of the seed.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &ReplayArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    match replay(args, &format) {
        Ok(()) => SUCCESS,
        Err(why) => fail(why),
    }
}

fn replay(args: &ReplayArgs, format: &Format) -> Result<(), String> {
    let seed = format.open(&args.seed, ProfileName::default())?;
    let (_, variant) = replayed(&*seed, &args.choices)?;
    let out = args.output.display();
    std::fs::write(&args.output, variant.bytes).map_err(|e| format!("{out}: {e}"))
}

/// Reads the choices in a file, and makes their variant.
///
/// # Errors
///
/// Returns one line: the file, and its error or the reason why the variant is impossible.
pub(super) fn replayed(seed: &dyn Subject, choices: &Path) -> Result<(Choices, Variant), String> {
    let name = choices.display();
    let text = std::fs::read_to_string(choices).map_err(|e| format!("{name}: {e}"))?;
    let choices = read_choices(&text).map_err(|e| format!("{name}: {e}"))?;
    let variant = seed.replay(&choices).map_err(|e| format!("{name}: {e}"))?;
    Ok((choices, variant))
}

/// Parses choices: an object of them, or one that has them under `choices`.
fn read_choices(text: &str) -> Result<Choices, serde_json::Error> {
    let json: serde_json::Value = serde_json::from_str(text)?;
    match json.get("choices") {
        Some(inner) if inner.is_object() => serde_json::from_value(inner.clone()),
        _ => serde_json::from_value(json),
    }
}
