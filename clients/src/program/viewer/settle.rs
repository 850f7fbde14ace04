//! Decides when a screen has settled: for a while, nothing on it has changed, and nobody who could change it has
//! worked.

use std::time::{Duration, Instant};

/// The minimum time without changes after which a picture that was not seen before counts.
pub(super) const STILL: Duration = Duration::from_millis(500);
/// The minimum time without changes for a picture that was once seen after [`STILL`].
const EARLY: Duration = Duration::from_millis(100);

/// The minimum time without changes for an empty screen, if it is certain that nothing happens for this time. A program
/// that still reads a file is working.
pub(super) const EMPTY: Duration = Duration::from_secs(2);

/// The work of the programs that draw, at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Work {
    /// The programs' processor time so far, in clock ticks.
    pub ticks: u64,
    /// True if any of them runs.
    pub running: bool,
}

/// The next step: to wait, or to look at the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// Do nothing before this time.
    Wait(Instant),
    /// Accept the screen if it is a known picture.
    Early,
    /// Accept any picture.
    Settled,
    /// Accept any picture; if there is none, there will be none.
    Final,
}

/// The time since the last sign of work on a screen.
#[derive(Debug)]
pub(super) struct Settling {
    since: Instant,
    longest: Duration,
    work: Option<Work>,
    patience: Instant,
    empty: Duration,
    looked: Option<Look>,
}

impl Settling {
    /// Starts now. An empty screen is accepted after `patience`, or once it is known that nothing happens for the time
    /// `empty`.
    pub(super) fn new(now: Instant, patience: Instant, empty: Duration) -> Self {
        Self { since: now, longest: Duration::ZERO, work: None, patience, empty, looked: None }
    }

    /// Records that the screen has changed.
    pub(super) fn changed(&mut self, now: Instant) {
        self.longest = self.longest.max(now.saturating_duration_since(self.since));
        self.since = now;
        self.looked = None;
    }

    /// Records the work so far. Work since the last time is a sign that a change may follow.
    pub(super) fn observe(&mut self, now: Instant, work: Work) {
        if self.work.replace(work).is_none_or(|last| work.running || work.ticks != last.ticks) {
            self.changed(now);
        }
    }

    /// Returns what to do now, if it is known that nothing happens until `idle`. A pause that is going to be long
    /// enough need not be waited for.
    pub(super) fn look(&self, now: Instant, idle: Option<Instant>) -> Look {
        let mut wait = now + STILL;
        // The strongest step comes first.
        for (look, due, known) in self.dues().into_iter().rev() {
            if self.looked.is_some_and(|looked| look <= looked) {
                break;
            }
            if due <= now || idle.is_some_and(|idle| known <= idle) {
                return look;
            }
            wait = due;
        }
        Look::Wait(wait)
    }

    /// Records that an examination found nothing; it is not returned again until there is a change.
    pub(super) fn looked(&mut self, look: Look) {
        self.looked = Some(look);
    }

    /// The time of each examination, and the time until which nothing must happen for it to be made early.
    fn dues(&self) -> [(Look, Instant, Instant); 3] {
        // A viewer that paused before may do so again.
        let early = self.since + (self.longest * 2).clamp(EARLY, STILL);
        let settled = self.since + STILL;
        let (last, empty) = (self.patience.max(settled), self.since + self.empty);
        [
            (Look::Early, early, early),
            (Look::Settled, settled, settled),
            (Look::Final, last, last.min(empty)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Work = Work { ticks: 7, running: false };

    struct Clock(Instant, Settling);

    impl Clock {
        fn new() -> Self {
            let begun = Instant::now();
            let mut settling = Settling::new(begun, begun + Duration::from_secs(10), EMPTY);
            settling.observe(begun, IDLE);
            Self(begun, settling)
        }

        fn at(&self, ms: u64) -> Instant {
            self.0 + Duration::from_millis(ms)
        }

        fn look(&mut self, ms: u64) -> Look {
            self.look_idle(ms, None)
        }

        fn look_idle(&mut self, ms: u64, idle: Option<u64>) -> Look {
            let look = self.1.look(self.at(ms), idle.map(|idle| self.at(idle)));
            if !matches!(look, Look::Wait(_)) {
                self.1.looked(look);
            }
            look
        }

        fn changed(&mut self, ms: u64) {
            let at = self.at(ms);
            self.1.changed(at);
        }

        fn works(&mut self, ms: u64, work: Work) {
            let at = self.at(ms);
            self.1.observe(at, work);
        }
    }

    #[test]
    fn looks_follow_one_another_after_the_last_change() {
        let mut clock = Clock::new();
        clock.changed(20);
        assert_eq!(clock.look(119), Look::Wait(clock.at(120)));
        assert_eq!(clock.look(120), Look::Early);
        assert_eq!(clock.look(120), Look::Wait(clock.at(520)));
        assert_eq!(clock.look(520), Look::Settled);
        assert_eq!(clock.look(521), Look::Wait(clock.at(10_000)));
        clock.changed(600);
        // The viewer paused for 580 ms, which is too long for an early look.
        assert_eq!(clock.look(1099), Look::Wait(clock.at(1100)));
        assert_eq!(clock.look(1100), Look::Settled);
        assert_eq!(clock.look(10_000), Look::Final);
    }

    #[test]
    fn pauses_between_changes_delay_the_early_look() {
        let mut clock = Clock::new();
        clock.changed(90);
        assert_eq!(clock.look(269), Look::Wait(clock.at(270)));
        assert_eq!(clock.look(270), Look::Early);
    }

    #[test]
    fn a_program_that_works_has_not_settled() {
        let mut clock = Clock::new();
        for ms in (0..2000).step_by(25) {
            clock.works(ms, Work { ticks: ms, running: false });
            assert!(matches!(clock.look(ms), Look::Wait(_)));
        }
        for ms in (2000..4000).step_by(25) {
            clock.works(ms, Work { ticks: 1975, running: true });
            assert!(matches!(clock.look(ms), Look::Wait(_)));
        }
        // The last sign of work was at 3975 ms.
        clock.works(4000, Work { ticks: 1975, running: false });
        assert_eq!(clock.look(4075), Look::Early);
        // A look does not excuse work after it.
        clock.works(4080, Work { ticks: 1976, running: false });
        assert!(matches!(clock.look(4400), Look::Wait(_) | Look::Early));
        assert_eq!(clock.look(4580), Look::Settled);
    }

    #[test]
    fn a_pause_of_known_length_is_not_waited_for() {
        let mut clock = Clock::new();
        assert_eq!(clock.look_idle(20, Some(99)), Look::Wait(clock.at(100)));
        assert_eq!(clock.look_idle(20, Some(100)), Look::Early);
        assert_eq!(clock.look_idle(21, Some(499)), Look::Wait(clock.at(500)));
        assert_eq!(clock.look_idle(22, Some(500)), Look::Settled);
        assert_eq!(clock.look_idle(22, Some(1_999)), Look::Wait(clock.at(10_000)));
        assert_eq!(clock.look_idle(23, Some(2_000)), Look::Final);
        clock.changed(30);
        // The strongest step comes at once.
        assert_eq!(clock.look_idle(31, Some(530)), Look::Settled);
    }

    #[test]
    fn an_empty_screen_that_changes_late_is_looked_at_once_more() {
        let mut clock = Clock::new();
        clock.changed(9_900);
        assert_eq!(clock.look(10_000), Look::Wait(clock.at(10_400)));
        assert_eq!(clock.look(10_400), Look::Final);
    }
}
