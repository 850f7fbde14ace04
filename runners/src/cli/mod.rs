//! The subcommands, a file each. All give an exit code: 0 fine, 1 something was found,
//! 2 it could not be done.

pub mod apply;
mod bounded;
pub mod check;
pub mod clients;
pub mod equal;
pub mod fuzz;
pub mod invert;
pub mod normalize;
pub mod replay;
pub mod sample;
mod spec;
pub mod variants;

use std::path::Path;

use tiff_harness::Seed;

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

/// Reads a seed file.
///
/// # Errors
///
/// One line: the file, what is wrong with it and where.
pub fn open(path: &Path) -> Result<Seed, String> {
    let name = path.display();
    let len = std::fs::metadata(path).map_err(|e| format!("{name}: {e}"))?.len();
    if len > MAX_SEED {
        return Err(format!("{name}: {len} bytes; at most {MAX_SEED} are read"));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("{name}: {e}"))?;
    Seed::open(bytes).map_err(|e| format!("{name}: {e}"))
}

/// Says on standard error, in one line, why it could not be done.
pub fn trouble(why: impl std::fmt::Display) -> u8 {
    eprintln!("error: {}", crate::report::clean(&why.to_string()).replace('\n', " "));
    TROUBLE
}

/// Prints a line to standard output; nobody may be reading any more.
pub(crate) fn say(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}
