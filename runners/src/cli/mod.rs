//! The subcommands, a file each. All give an exit code: 0 fine, 1 something was found,
//! 2 it could not be done.

pub mod apply;
mod bounded;
mod buckets;
pub mod check;
pub mod clients;
mod coverage;
pub mod equal;
pub mod export;
pub mod fuzz;
mod install;
pub mod invert;
mod made;
pub mod merge;
pub mod new;
mod night;
pub mod nightly;
pub mod normalize;
pub mod pick;
mod picture_file;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod sample;
mod seed_run;
mod spec;
pub mod variants;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tiff_harness::Seed;
use tiff_harness::container::Profile;

use crate::subject::Subject;
use crate::subject::spec::extension;

/// Exit code: fine.
pub const FINE: u8 = 0;
/// Exit code: at least one difference was found.
pub const FOUND: u8 = 1;
/// Exit code: it could not be done.
pub const TROUBLE: u8 = 2;

/// Largest file that is taken as a seed, in bytes.
const MAX_SEED: u64 = 1 << 30;

/// The most threads that are used: far more would only keep each other, and the machine,
/// from working.
const MAX_JOBS: usize = 256;

/// Takes the number after `--jobs`.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if (1..=MAX_JOBS).contains(&jobs) => Ok(jobs),
        _ => Err(format!("it must be 1 to {MAX_JOBS}")),
    }
}

/// How many threads there are for this process.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Which values are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProfileName {
    /// Nothing that is not clearly legal
    #[default]
    Strict,
    /// Everything, seen in the wild or not clearly legal as well
    Wide,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Strict => Profile::Strict,
            ProfileName::Wide => Profile::Wide,
        }
    }
}

/// Which format a file is of.
#[derive(Debug, Clone, Default, Args)]
pub struct FormatArgs {
    /// The format is what this spec, or pipeline, says; without it, it is TIFF
    #[arg(long, value_name = "SPEC")]
    pub spec: Option<PathBuf>,
}

/// A format that files are opened as.
pub struct Format(equivalents::Format);

impl FormatArgs {
    /// The format. What is wrong with a spec is shown on standard error; then the exit code is given.
    ///
    /// # Errors
    ///
    /// The exit code.
    pub fn format(&self) -> Result<Format, u8> {
        match &self.spec {
            None => Ok(Format(equivalents::Format::Tiff)),
            Some(path) => {
                let pipeline = Arc::new(spec::read(path)?);
                Ok(Format(equivalents::Format::Spec(pipeline)))
            }
        }
    }

    /// The ending of files of the format, for a seed.
    pub fn extension(&self, seed: &Path) -> String {
        match self.spec {
            None => "tif".to_owned(),
            Some(_) => extension(seed),
        }
    }
}

impl Format {
    /// Reads a seed file of this format.
    ///
    /// # Errors
    ///
    /// One line: the file, what is wrong with it and where.
    pub fn open(&self, path: &Path, profile: ProfileName) -> Result<Box<dyn Subject>, String> {
        let seed = self.0.open(bytes(path)?, profile.into());
        seed.map_err(|e| format!("{}: {e}", path.display()))
    }
}

/// Reads a seed file of TIFF.
///
/// # Errors
///
/// One line: the file, what is wrong with it and where.
pub fn open(path: &Path) -> Result<Seed, String> {
    Seed::open(bytes(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display();
    let len = std::fs::metadata(path).map_err(|e| format!("{name}: {e}"))?.len();
    if len > MAX_SEED {
        return Err(format!("{name}: {len} bytes; at most {MAX_SEED} are read"));
    }
    std::fs::read(path).map_err(|e| format!("{name}: {e}"))
}

/// Says on standard error, in one line, why it could not be done.
pub fn trouble(why: impl std::fmt::Display) -> u8 {
    eprintln!("error: {}", crate::report::clean(&why.to_string()).replace('\n', " "));
    TROUBLE
}

/// Says on standard error, in one line, what the user should know.
pub(crate) fn note(what: impl std::fmt::Display) {
    eprintln!("note: {}", crate::report::clean(&what.to_string()).replace('\n', " "));
}

/// Prints a line to standard output; nobody may be reading any more.
pub(crate) fn say(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The text in lines of at most `width` characters; only a longer word is longer.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
