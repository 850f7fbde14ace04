//! The number of threads, and the argument of `--jobs`.

/// The most threads: more would only compete for processors and memory.
const MAX_JOBS: usize = 256;

/// Parses the argument of `--jobs`.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if (1..=MAX_JOBS).contains(&jobs) => Ok(jobs),
        _ => Err(format!("must be 1 to {MAX_JOBS}")),
    }
}

/// The number of processors that this process can use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
