//! How long a campaign may go on: until it is stopped, or its time is used up.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::stop::Stop;

/// The least time for reduction, where time is limited.
const LEAST: Duration = Duration::from_secs(10);

/// When to end.
#[derive(Debug)]
pub struct Budget {
    stop: Stop,
    begun: Instant,
    time: Option<Duration>,
    /// What was used up before this began.
    spent: Duration,
    reducing: OnceLock<Instant>,
}

impl Budget {
    /// Until `stop`; or, from now on, `time` for the variants and then as long again, but
    /// at least ten seconds, for the reduction.
    pub fn new(stop: &Stop, time: Option<Duration>) -> Self {
        let begun = Instant::now();
        Self { stop: stop.clone(), begun, time, spent: Duration::ZERO, reducing: OnceLock::new() }
    }

    /// The same, of which `spent` is used up.
    #[must_use]
    pub fn after(self, spent: Duration) -> Self {
        Self { spent, ..self }
    }

    /// How often the user asked to end.
    pub fn level(&self) -> u8 {
        self.stop.level()
    }

    /// Whether to make no more variants.
    pub fn variants(&self) -> bool {
        self.stopped() || self.time.is_some_and(|time| self.spent + self.begun.elapsed() >= time)
    }

    /// Whether the user asked to make no more variants, whatever the time.
    pub fn stopped(&self) -> bool {
        self.stop.variants()
    }

    /// Whether to reduce no more, either.
    pub fn everything(&self) -> bool {
        let late = |time: Duration| {
            let since = self.reducing.get().map_or(Duration::ZERO, Instant::elapsed);
            since >= time.max(LEAST)
        };
        self.stop.everything() || self.time.is_some_and(late)
    }

    /// The reduction begins: its time counts from here.
    pub fn reduce(&self) {
        self.reducing.get_or_init(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_nothing_is_made_and_something_is_reduced() {
        let budget = Budget::new(&Stop::new(), Some(Duration::ZERO));
        budget.reduce();
        assert!(budget.variants() && !budget.everything());
        assert!(!Budget::new(&Stop::new(), None).variants());
        let hour = Duration::from_secs(3600);
        assert!(!Budget::new(&Stop::new(), Some(hour)).variants());
        assert!(Budget::new(&Stop::new(), Some(hour)).after(hour).variants());
    }
}
