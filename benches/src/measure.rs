//! Times.

use std::time::{Duration, Instant};

/// How often each thing is measured.
pub const RUNS: usize = 7;

/// The median time of one call, of [`RUNS`] runs of `times` calls each.
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

/// How many of them there are in a second.
pub fn rate(time: Duration) -> f64 {
    1.0 / time.as_secs_f64().max(1e-12)
}
