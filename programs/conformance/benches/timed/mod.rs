//! Times repeated work, for the benchmark and the example.

use std::time::{Duration, Instant};

/// Repeats `work` `runs` times, but at least once; returns the last result and the median time.
pub fn timed<T>(runs: usize, mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut times = Vec::new();
    loop {
        let began = Instant::now();
        let result = work();
        times.push(began.elapsed());
        if times.len() >= runs {
            times.sort_unstable();
            return (result, times[times.len() / 2]);
        }
    }
}
