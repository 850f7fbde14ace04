//! Measuring times.

use std::time::{Duration, Instant};

/// The number of runs of each measurement.
pub const RUNS: usize = 7;

/// Returns the median time of one call, from [`RUNS`] runs of `times` calls each.
pub fn median<T>(
    times: u32,
    mut call: impl FnMut(u64) -> Result<T, String>,
) -> Result<Duration, String> {
    let mut runs = Vec::new();
    let mut index = 0;
    for _ in 0..RUNS {
        let began = Instant::now();
        for _ in 0..times {
            std::hint::black_box(call(index)?);
            index += 1;
        }
        runs.push(began.elapsed() / times);
    }
    runs.sort_unstable();
    Ok(runs[RUNS / 2])
}

/// Returns the number of calls a second.
pub fn rate(time: Duration) -> f64 {
    1.0 / time.as_secs_f64().max(1e-12)
}
