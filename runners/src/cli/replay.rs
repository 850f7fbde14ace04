//! `repfuzz replay`: makes a variant again, byte for byte.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::solve::Choices;

use super::{Format, FormatArgs, ProfileName, SUCCESS, fail};
use equivalents::subject::{Subject, Variant, WriteError};

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
    let format = match args.format.format(&[&args.seed]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    match replay(args, &format) {
        Ok(()) => SUCCESS,
        Err(why) => fail(why),
    }
}

fn replay(args: &ReplayArgs, format: &Format) -> Result<(), String> {
    let seed = format.open_large(&args.seed, ProfileName::default())?;
    let choices = read(&args.choices)?;
    seed.replay_to(&choices, &args.output).map_err(|e| match e {
        WriteError::Variant(why) => format!("{}: {why}", args.choices.display()),
        WriteError::File(why) => why,
    })
}

/// Reads the choices in a file.
fn read(path: &Path) -> Result<Choices, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    read_choices(&text).map_err(|e| format!("{name}: {e}"))
}

/// Reads the choices in a file, and makes their variant.
///
/// # Errors
///
/// Returns one line: the file, and its error or the reason why the variant is impossible.
pub(super) fn replayed(seed: &dyn Subject, choices: &Path) -> Result<(Choices, Variant), String> {
    let name = choices.display();
    let choices = read(choices)?;
    let variant = seed.replay(&choices).map_err(|e| format!("{name}: {e}"))?;
    Ok((choices, variant))
}

/// Parses choices from an object, or from an object that has them under `choices`.
fn read_choices(text: &str) -> Result<Choices, serde_json::Error> {
    let json: serde_json::Value = serde_json::from_str(text)?;
    match json.get("choices") {
        Some(inner) if inner.is_object() => serde_json::from_value(inner.clone()),
        _ => serde_json::from_value(json),
    }
}
