//! The number of threads, and the argument of `--jobs`.

pub(crate) use campaign::{displays, processors};

/// The maximum number of threads. More would only compete for processors and memory.
const MAX_JOBS: usize = 256;

/// Parses the argument of `--jobs`.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if (1..=MAX_JOBS).contains(&jobs) => Ok(jobs),
        _ => Err(format!("must be 1 to {MAX_JOBS}")),
    }
}
