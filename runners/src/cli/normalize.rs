//! `repfuzz normalize`: computes the canonical picture of a file.

use std::path::{Path, PathBuf};

use clap::Args;
use tiff_harness::Picture;

use super::{FormatArgs, ProfileName, SUCCESS, fail, picture_file, say};

/// Print a digest of a file's canonical picture, or write it as PNG
#[derive(Debug, Clone, Args)]
pub struct NormalizeArgs {
    /// File to read
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the picture to this file, as 16-bit PNG
    #[arg(short, long, value_name = "OUT.png")]
    pub output: Option<PathBuf>,
    /// Format of the file.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &NormalizeArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    let seed = match format.open(&args.file, ProfileName::default()) {
        Ok(seed) => seed,
        Err(why) => return fail(why),
    };
    let picture = seed.picture();
    match (&args.output, seed.value()) {
        (None, Some(value)) => say(value),
        (Some(_), Some(_)) => {
            let file = args.file.display();
            return fail(format!("{file}: its canonical value is no picture; leave out --output"));
        }
        (None, None) => {
            say(format!("{}x{} {}", picture.width(), picture.height(), picture.digest()))
        }
        (Some(path), None) => {
            if let Err(e) = save(picture, path) {
                return fail(format!("{}: {e}", path.display()));
            }
        }
    }
    SUCCESS
}

fn save(picture: &Picture, path: &Path) -> Result<(), String> {
    let png = picture_file::png(picture).map_err(|e| e.to_string())?;
    std::fs::write(path, png).map_err(|e| e.to_string())
}
