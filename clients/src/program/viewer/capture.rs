//! Waits until a viewer has settled, and examines what it shows.

use std::io;
use std::time::{Duration, Instant};

use super::super::context::{ProgramContext, Workspace};
use super::display::VirtualDisplay;
use super::screenshot::Screenshot;
use super::settle::{Look, Settling};
use crate::process::{Started, Stop, Watch, WatchResult};
use crate::sandbox::Sandbox;

/// The minimum and maximum interval between two samples of the work of a viewer and its display.
const SAMPLES: (Duration, Duration) = (Duration::from_millis(3), Duration::from_millis(25));

/// A viewer on a display.
pub(super) struct Shown<'a> {
    pub context: &'a ProgramContext,
    pub workspace: &'a Workspace,
    pub started: &'a mut Started,
    pub display: &'a mut VirtualDisplay,
    /// The time at which the viewer counts as hanging.
    pub deadline: Instant,
    /// The time until which to wait if the screen is empty.
    pub patience: Instant,
    /// The time for which nothing may happen before an empty screen is accepted early.
    pub empty: Duration,
}

/// The pictures and screens on which waiting depends.
pub(super) struct Expected<'a> {
    /// Returns true for a picture that was seen on a settled screen before.
    pub known: &'a dyn Fn(&Screenshot) -> bool,
    /// A screen on which the picture has not appeared yet.
    pub before: Option<&'a Screenshot>,
}

/// The content of a viewer's screen, or the reason why there is none.
pub(super) enum Seen {
    /// A picture: the area of the screen that counts.
    Picture {
        /// The area.
        area: Screenshot,
        /// True if it was stable for the whole time, false if it is known and the viewer was idle.
        settled: bool,
    },
    /// No picture.
    Nothing {
        /// True if the screen also differs from [`Expected::before`].
        changed: bool,
    },
    /// A window whose title means that the file was refused.
    Title(String),
    /// The program has ended, or must be killed.
    Gone(WatchResult),
    /// The viewer is still working at the deadline.
    Late,
}

/// The result of a look at the screen.
enum Verdict {
    /// The screen changed meanwhile.
    Changed,
    /// The screen did not change, but the viewer has done something.
    Busy,
    /// There is nothing to accept.
    Nothing,
    Accepted(Seen),
}

impl Shown<'_> {
    /// Waits until the screen has settled.
    pub(super) fn settle(&mut self, expected: &Expected<'_>) -> io::Result<Seen> {
        let mut settling = Settling::new(Instant::now(), self.patience, self.empty);
        settling.observe(Instant::now(), self.display.work(self.started));
        let mut pause = SAMPLES.0;
        let mut idle = None;
        loop {
            let now = Instant::now();
            if now >= self.deadline {
                return Ok(Seen::Late);
            }
            let (mut wait, mut busy) = (None, false);
            match settling.look(now, idle) {
                Look::Wait(until) => wait = Some(until.min(now + pause)),
                look => match self.judge(look, settling.look(now, None) != look, expected)? {
                    Verdict::Changed => settling.changed(Instant::now()),
                    Verdict::Busy => (wait, busy) = (Some(now + pause), true),
                    Verdict::Nothing => settling.looked(look),
                    Verdict::Accepted(seen) => return Ok(seen),
                },
            }
            if let Some(until) = wait {
                pause = (pause * 2).min(SAMPLES.1);
                match self.wait(until)? {
                    WatchResult::Woken | WatchResult::Stopped(Stop::Time) => {}
                    gone => return Ok(Seen::Gone(gone)),
                }
            }
            if self.display.changes.any()? {
                settling.changed(Instant::now());
                pause = SAMPLES.0;
            } else {
                settling.observe(Instant::now(), self.display.work(self.started));
            }
            idle = if busy { None } else { self.idle() };
        }
    }

    /// The time until which nothing happens, if that can be determined.
    fn idle(&mut self) -> Option<Instant> {
        // Without a sandbox, other programs may wake the viewer.
        match *self.context.sandbox {
            Sandbox::Off => None,
            _ => self.display.idle(self.started),
        }
    }

    fn wait(&mut self, until: Instant) -> io::Result<WatchResult> {
        let watch = Watch {
            scratch: &self.workspace.scratch,
            limits: &self.context.description.limits,
            deadline: until.min(self.deadline),
            wakes: Some(std::os::fd::AsFd::as_fd(&self.display.changes)),
        };
        self.started.watch(&watch, &mut |_| false)
    }

    /// Examines the screen; `idle` is true if it is examined because nothing is going to happen.
    fn judge(&mut self, look: Look, idle: bool, expected: &Expected<'_>) -> io::Result<Verdict> {
        let Some(whole) = self.display.screenshot()? else { return Ok(Verdict::Changed) };
        let description = &self.context.description;
        let before = expected.before == Some(&whole);
        let middle = description.viewer.middle.map(|middle| whole.part(middle));
        let area = match description.viewer.area {
            Some(area) => whole.part(area),
            None => whole,
        };
        let empty = before || area.is_uniform() || middle.is_some_and(|m| m.is_uniform());
        let early = look == Look::Early;
        if early && (empty || !(expected.known)(&area)) {
            return Ok(Verdict::Nothing);
        }
        let title = self.display.titles(&description.run.refused);
        if idle {
            let still = self.display.is_still(self.started);
            if self.display.changes.any()? {
                return Ok(Verdict::Changed);
            }
            if !still {
                return Ok(Verdict::Busy);
            }
        }
        if let Some(title) = title {
            return Ok(Verdict::Accepted(Seen::Title(title)));
        }
        Ok(match (empty, look) {
            (false, _) => Verdict::Accepted(Seen::Picture { area, settled: !early }),
            (true, Look::Final) => Verdict::Accepted(Seen::Nothing { changed: !before }),
            (true, _) => Verdict::Nothing,
        })
    }
}
