//! The time limit of a campaign, combined with the user's requests to stop.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::stop::Stop;

/// Decides when the phases of a campaign end.
#[derive(Debug)]
pub struct Budget {
    stop: Stop,
    begun: Instant,
    /// The time for the variants.
    time: Option<Duration>,
    /// The time for the reduction.
    reduce_time: Option<Duration>,
    /// The time that earlier processes used up.
    spent: Duration,
    reduction_begun: OnceLock<Instant>,
}

impl Budget {
    /// A budget that ends at the user's request, and whose variants end after `time`, counted from now.
    pub fn new(stop: &Stop, time: Option<Duration>) -> Self {
        Self {
            stop: stop.clone(),
            begun: Instant::now(),
            time,
            reduce_time: None,
            spent: Duration::ZERO,
            reduction_begun: OnceLock::new(),
        }
    }

    /// Limits the time of the reduction, which starts with [`Budget::begin_reduction`].
    #[must_use]
    pub fn with_reduce_time(self, reduce_time: Option<Duration>) -> Self {
        Self { reduce_time, ..self }
    }

    /// Subtracts the time that earlier processes have spent on the variants.
    #[must_use]
    pub fn with_spent(self, spent: Duration) -> Self {
        Self { spent, ..self }
    }

    /// Returns the number of requests to stop.
    pub fn stop_requests(&self) -> u8 {
        self.stop.requests()
    }

    /// Returns true if no more variants are to be made, for either reason.
    pub fn ends_variants(&self) -> bool {
        self.stop_requested()
            || self.time.is_some_and(|time| self.spent + self.begun.elapsed() >= time)
    }

    /// Returns true if the user requested that no more variants be made.
    pub fn stop_requested(&self) -> bool {
        self.stop.ends_variants()
    }

    /// Returns true if the reduction is to end as well.
    pub fn ends_reduction(&self) -> bool {
        let late = |time: Duration| {
            let since = self.reduction_begun.get().map_or(Duration::ZERO, Instant::elapsed);
            since >= time
        };
        self.stop.ends_reduction() || self.reduce_time.is_some_and(late)
    }

    /// Starts the time of the reduction.
    pub fn begin_reduction(&self) {
        self.reduction_begun.get_or_init(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_nothing_is_made_and_all_is_reduced() {
        let budget = Budget::new(&Stop::new(), Some(Duration::ZERO));
        budget.begin_reduction();
        assert!(budget.ends_variants() && !budget.ends_reduction());
        assert!(!Budget::new(&Stop::new(), None).ends_variants());
        let cut = budget.with_reduce_time(Some(Duration::ZERO));
        assert!(cut.ends_reduction(), "its own limit ends it");
        let hour = Duration::from_secs(3600);
        assert!(!Budget::new(&Stop::new(), Some(hour)).ends_variants());
        assert!(Budget::new(&Stop::new(), Some(hour)).with_spent(hour).ends_variants());
    }
}
