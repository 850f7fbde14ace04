//! The time of a night, divided among its seeds.

use std::time::{Duration, Instant};

/// One in this many parts of the time is reserved for reports, up to the given limit.
const RESERVE: (u32, Duration) = (20, Duration::from_secs(60));

/// The time of a whole night: reruns, variants, reductions and reports.
#[derive(Debug, Clone, Copy)]
pub struct NightTime {
    /// The end of the work on seeds, and of the whole night; `None` if there is no limit.
    ends: Option<Ends>,
}

/// The ends of a night's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// The end of the work on seeds. The rest of the time is for reports.
    pub work: Instant,
    /// The end of the whole night.
    pub night: Instant,
}

/// The time for one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedTime {
    /// The time for reruns and variants together.
    pub variants: Duration,
    /// The time for reductions.
    pub reductions: Duration,
}

impl NightTime {
    /// Creates the time of a night of `limit` that began at `begun`, of which earlier processes used up `spent`.
    pub fn new(limit: Option<Duration>, begun: Instant, spent: Duration) -> Self {
        let ends = |limit: Duration| {
            let reserve = (limit / RESERVE.0).min(RESERVE.1);
            let left = limit.saturating_sub(spent);
            Ends { work: begun + left.saturating_sub(reserve), night: begun + left }
        };
        Self { ends: limit.map(ends) }
    }

    /// Returns its ends; `None` if there is no limit.
    pub fn ends(&self) -> Option<Ends> {
        self.ends
    }

    /// Returns the share at `now` for one of the `left` seeds that remain to be run. Half of it is for reruns and
    /// variants. `None` if there is no limit.
    pub fn share(&self, now: Instant, left: usize) -> Option<SeedTime> {
        let rest = self.ends?.work.saturating_duration_since(now);
        let share = rest / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        Some(SeedTime { variants: share / 2, reductions: share - share / 2 })
    }

    /// Returns true if the time is used up at `now`.
    pub fn is_up(&self, now: Instant) -> bool {
        self.ends.is_some_and(|ends| now >= ends.work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn all_seeds_and_the_reports_are_within_the_time() {
        let begun = Instant::now();
        let night = NightTime::new(Some(20 * SECOND), begun, 5 * SECOND);
        // 15 seconds are left, one of them for the reports.
        let share = night.share(begun, 7).unwrap();
        assert_eq!(share, SeedTime { variants: SECOND, reductions: SECOND });
        // A seed that needs less time leaves the rest to others.
        let share = night.share(begun + SECOND, 2).unwrap();
        assert_eq!(share.variants + share.reductions, SECOND * 13 / 2);
        let ends = Ends { work: begun + 14 * SECOND, night: begun + 15 * SECOND };
        assert_eq!(night.ends(), Some(ends));
        assert!(!night.is_up(begun + 13 * SECOND) && night.is_up(begun + 14 * SECOND));
        assert_eq!(night.share(begun + 30 * SECOND, 2).unwrap().variants, Duration::ZERO);
    }

    #[test]
    fn without_a_limit_there_is_no_end() {
        let night = NightTime::new(None, Instant::now(), Duration::ZERO);
        assert_eq!((night.share(Instant::now(), 3), night.ends()), (None, None));
        assert!(!night.is_up(Instant::now()));
    }
}
