//! How long a campaign may go on: until it is stopped, or its time is used up.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::Stop;

/// The least time for reduction, where time is limited.
const LEAST: Duration = Duration::from_secs(10);

/// When to end.
#[derive(Debug)]
pub struct Budget {
    stop: Stop,
    begun: Instant,
    time: Option<Duration>,
    reducing: OnceLock<Instant>,
}

impl Budget {
    /// Until `stop`; or, from now on, `time` for the variants and then a quarter of it, but
    /// at least ten seconds, for the reduction.
    pub fn new(stop: &Stop, time: Option<Duration>) -> Self {
        Self { stop: stop.clone(), begun: Instant::now(), time, reducing: OnceLock::new() }
    }

    /// How often the user asked to end.
    pub fn level(&self) -> u8 {
        self.stop.level()
    }

    /// Whether to make no more variants.
    pub fn variants(&self) -> bool {
        self.stop.variants() || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// Whether to reduce no more, either.
    pub fn everything(&self) -> bool {
        let late = |time: Duration| {
            let since = self.reducing.get().map_or(Duration::ZERO, Instant::elapsed);
            since >= (time / 4).max(LEAST)
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
    }
}
