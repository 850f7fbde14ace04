//! The schedule by which a running program's resource usage is sampled.

use std::time::{Duration, Instant};

/// The minimum and maximum time between two samples. A sample costs as much as some short programs, so most of these
/// are never sampled.
const INTERVALS: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(250));

/// A sampling schedule: samples become rarer the longer a program lives, but are frequent while it uses more than half
/// of a limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct SamplingSchedule {
    pause: Duration,
    last: Instant,
    next: Instant,
}

impl SamplingSchedule {
    /// Creates the schedule of a program that starts now.
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { pause: INTERVALS.0, last: now, next: now + INTERVALS.0 }
    }

    /// Restarts the schedule because the program gets new work. Many short pieces of work do not postpone the next
    /// sample forever.
    pub(super) fn restart(&mut self) {
        self.pause = INTERVALS.0;
        self.next = (Instant::now() + INTERVALS.0).min(self.last + INTERVALS.1);
    }

    /// The time of the next sample.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Schedules the next sample; `near` is true if the program is near a limit.
    pub(super) fn sampled(&mut self, near: bool) {
        self.pause = if near { INTERVALS.0 } else { (self.pause * 2).min(INTERVALS.1) };
        self.last = Instant::now();
        self.next = self.last + self.pause;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_requests_are_sampled_as_well() {
        let mut schedule = SamplingSchedule::new();
        schedule.sampled(false);
        let last = schedule.last;
        // The schedule is as if the last sample had been long ago.
        schedule.last = last.checked_sub(INTERVALS.1).unwrap();
        schedule.restart();
        assert_eq!(schedule.next(), last);
    }
}
