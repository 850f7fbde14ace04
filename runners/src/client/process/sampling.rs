//! The schedule by which a running program's resource usage is sampled.

use std::time::{Duration, Instant};

/// The shortest and the longest time between two samples. A sample costs as much as some short
/// programs, so most of these are never sampled.
const INTERVALS: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(250));

/// A sampling schedule: less often the longer a program lives, but often while it uses more than
/// half of a limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct SamplingSchedule {
    pause: Duration,
    next: Instant,
}

impl SamplingSchedule {
    /// Creates the schedule of a program that starts now.
    pub(super) fn new() -> Self {
        Self { pause: INTERVALS.0, next: Instant::now() + INTERVALS.0 }
    }

    /// The time of the next sample.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Schedules the next sample; `near` is true if the program is near a limit.
    pub(super) fn sampled(&mut self, near: bool) {
        self.pause = if near { INTERVALS.0 } else { (self.pause * 2).min(INTERVALS.1) };
        self.next = Instant::now() + self.pause;
    }
}
