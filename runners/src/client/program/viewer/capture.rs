//! Waits until a viewer has settled, and looks at what it shows.

use std::io;
use std::time::{Duration, Instant};

use super::super::context::{ProgramContext, Workspace};
use super::display::VirtualDisplay;
use super::screenshot::Screenshot;
use super::settle::{Look, Settling};
use crate::client::process::{Started, Stop, Watch, WatchResult};

/// Interval between two samples of the work of a viewer and its display.
const SAMPLE: Duration = Duration::from_millis(25);

/// A viewer on a display.
pub(super) struct Shown<'a> {
    pub context: &'a ProgramContext,
    pub workspace: &'a Workspace,
    pub started: &'a mut Started,
    pub display: &'a mut VirtualDisplay,
    /// The time at which it counts as hanging.
    pub deadline: Instant,
    /// The time until which an empty screen is waited for.
    pub patience: Instant,
}

/// The pictures and screens that waiting depends on.
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
        /// True if it stayed for the whole time, false if it is known and the viewer was idle.
        settled: bool,
    },
    /// No picture.
    Nothing,
    /// A window whose title means that the file was refused.
    Title(String),
    /// The program has ended, or must be killed.
    Gone(WatchResult),
    /// It is still at work at the deadline.
    Late,
}

impl Shown<'_> {
    /// Waits until the screen has settled.
    pub(super) fn settle(&mut self, expected: &Expected<'_>) -> io::Result<Seen> {
        let mut settling = Settling::new(Instant::now(), self.patience);
        settling.observe(Instant::now(), self.display.work(self.started));
        loop {
            let now = Instant::now();
            if now >= self.deadline {
                return Ok(Seen::Late);
            }
            let look = settling.look(now);
            match look {
                Look::Wait(until) => match self.wait(until.min(now + SAMPLE))? {
                    WatchResult::Woken | WatchResult::Stopped(Stop::Time) => {}
                    gone => return Ok(Seen::Gone(gone)),
                },
                Look::Early | Look::Settled | Look::Final => match self.judge(look, expected)? {
                    None => settling.changed(Instant::now()),
                    Some(None) => {}
                    Some(Some(seen)) => return Ok(seen),
                },
            }
            match self.display.changes.any()? {
                true => settling.changed(Instant::now()),
                false => settling.observe(Instant::now(), self.display.work(self.started)),
            }
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

    /// Looks at the screen. `None` if it changed meanwhile, `Some(None)` if there is nothing to accept.
    fn judge(&mut self, look: Look, expected: &Expected<'_>) -> io::Result<Option<Option<Seen>>> {
        let Some(whole) = self.display.screenshot()? else { return Ok(None) };
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
            return Ok(Some(None));
        }
        if let Some(title) = self.display.titles(&description.run.refused) {
            return Ok(Some(Some(Seen::Title(title))));
        }
        Ok(Some(match (empty, look) {
            (false, _) => Some(Seen::Picture { area, settled: !early }),
            (true, Look::Final) => Some(Seen::Nothing),
            (true, _) => None,
        }))
    }
}
