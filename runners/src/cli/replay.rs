//! `repfuzz replay`: a variant again, byte for byte.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::solve::Choices;

use super::{FINE, Format, FormatArgs, ProfileName, trouble};
use crate::subject::{Subject, Variant};

/// Make the variant of given choices again, byte for byte.
#[derive(Debug, Clone, Args)]
pub struct ReplayArgs {
    /// The seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Choices as JSON: an object, dimension to value, or a line of variants.jsonl. What is
    /// left out is as in the seed
    #[arg(long, value_name = "FILE")]
    pub choices: PathBuf,
    /// Where the variant goes
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Which format it is of
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; gives the exit code.
pub fn run(args: &ReplayArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    match replay(args, &format) {
        Ok(()) => FINE,
        Err(why) => trouble(why),
    }
}

fn replay(args: &ReplayArgs, format: &Format) -> Result<(), String> {
    let seed = format.open(&args.seed, ProfileName::default())?;
    let (_, variant) = replayed(&*seed, &args.choices)?;
    let out = args.output.display();
    std::fs::write(&args.output, variant.bytes).map_err(|e| format!("{out}: {e}"))
}

/// The choices in a file, and their variant.
///
/// # Errors
///
/// One line: the file, what is wrong with it, or why there is no such variant.
pub(super) fn replayed(seed: &dyn Subject, choices: &Path) -> Result<(Choices, Variant), String> {
    let name = choices.display();
    let text = std::fs::read_to_string(choices).map_err(|e| format!("{name}: {e}"))?;
    let choices = read_choices(&text).map_err(|e| format!("{name}: {e}"))?;
    let variant = seed.replay(&choices).map_err(|e| format!("{name}: {e}"))?;
    Ok((choices, variant))
}

/// The choices in a file: an object of them, or one that has them under `choices`.
fn read_choices(text: &str) -> Result<Choices, serde_json::Error> {
    let json: serde_json::Value = serde_json::from_str(text)?;
    match json.get("choices") {
        Some(inner) if inner.is_object() => serde_json::from_value(inner.clone()),
        _ => serde_json::from_value(json),
    }
}
