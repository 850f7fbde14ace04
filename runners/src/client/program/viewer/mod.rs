//! Viewers: GUI programs, run on a virtual display and captured by screenshot.
//!
//! The screenshot is taken after the display has been unchanged and the program idle for a
//! while. Many viewers report an unreadable file only inside their window. A viewer has refused
//! the file if the middle of its area has a single colour, if a window's title matches a pattern
//! of the description, or if it shows the same as for a file that is no picture.

mod display;
mod screenshot;

use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::classify;
use super::context::{ProgramContext, refused};
use crate::client::Reply;
use crate::client::description::Argv;
use crate::client::process::{Stdout, Stop, Watch, WatchResult};
use display::VirtualDisplay;
use screenshot::Screenshot;

/// Interval between two frames.
const FRAME_INTERVAL: Duration = Duration::from_millis(50);
/// Time without change before the screenshot.
const STILL: Duration = Duration::from_millis(500);
/// A file that no reader accepts as a picture.
const NO_PICTURE: &[u8] = b"This is no picture.\n";

/// Availability that is kept between files: idle displays, and the screenshot of an error.
#[derive(Default)]
pub(super) struct ViewerDriver {
    idle: Mutex<Vec<VirtualDisplay>>,
    error: OnceLock<Option<Screenshot>>,
}

impl ViewerDriver {
    /// Captures the viewer's picture of `file`.
    pub(super) fn show(&self, context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Reply> {
        let screenshot = match self.capture(context, file)? {
            Ok(screenshot) => screenshot,
            Err(reply) => return Ok(reply),
        };
        if self.error.get().is_none() {
            let error = self.capture(context, NO_PICTURE)?.ok();
            // Another thread may have been first; the result is the same.
            let _ = self.error.set(error);
        }
        if self.error.get().and_then(Option::as_ref) == Some(&screenshot) {
            return Ok(refused("shows the same as for a file that is no picture", None));
        }
        let trimmed = match context.description.viewer.background {
            Some(background) => screenshot.without(background),
            None => Some(screenshot),
        };
        Ok(trimmed.and_then(Screenshot::into_picture).map_or_else(nothing, Reply::Picture))
    }

    fn capture(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
    ) -> io::Result<Result<Screenshot, Reply>> {
        let Some(argv) = &context.description.run.viewer else {
            return Err(io::Error::other("a client without a viewer"));
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut display = idle.map_or_else(VirtualDisplay::new, Ok)?;
        let result = capture_on(&mut display, context, argv, file);
        // A display with leftovers cannot be reused.
        if display.becomes_blank() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(display);
        }
        result
    }
}

fn nothing() -> Reply {
    refused("shows no picture", None)
}

fn capture_on(
    display: &mut VirtualDisplay,
    context: &Arc<ProgramContext>,
    argv: &Argv,
    file: &[u8],
) -> io::Result<Result<Screenshot, Reply>> {
    let description = &context.description;
    let workspace = context.workspace()?;
    std::fs::write(&workspace.input, file)?;
    let variable = (OsString::from("DISPLAY"), OsString::from(display.number()));
    let begun = Instant::now();
    let mut started =
        context.start(&workspace, argv, Stdout::Ends, &[variable], Some(&display.socket()))?;
    let (deadline, patience) = (context.deadline(), begun + description.limits.time() / 2);
    // The last frame and the current one. Frames are decoded only at the end.
    let (mut last, mut frame, mut ticks) = (Vec::new(), Vec::new(), None);
    let mut since = begun;
    loop {
        let next = (Instant::now() + FRAME_INTERVAL).min(deadline);
        let watch =
            Watch { scratch: &workspace.scratch, limits: &description.limits, deadline: next };
        match started.watch(&watch, &mut |_| false)? {
            WatchResult::Stopped(Stop::Time) => {}
            WatchResult::Stopped(stop) => return Ok(Err(classify::stopped(stop, description))),
            WatchResult::Done | WatchResult::Ended => {
                let ended = started.end(None)?;
                let message = workspace.words(&ended);
                let failure = workspace.failure(&ended)?;
                return Ok(Err(failure.unwrap_or_else(|| {
                    refused("ended without showing a picture", message.as_deref())
                })));
            }
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(Err(Reply::Hang));
        }
        let usage = started.usage();
        let worked = ticks.replace(usage.ticks) != Some(usage.ticks);
        display.frame(&mut frame)?;
        if usage.running || worked || frame != last {
            std::mem::swap(&mut frame, &mut last);
            since = now;
            continue;
        }
        if now.duration_since(since) < STILL {
            continue;
        }
        let titles = display.titles(&description.run.refused);
        if let Some(title) = titles {
            return Ok(Err(refused("shows a window", Some(&workspace.scrub.line(&title)))));
        }
        let whole = VirtualDisplay::screenshot(&frame)?;
        let middle = description.viewer.middle.map(|middle| whole.part(middle));
        let area = description.viewer.area.map_or_else(|| whole.clone(), |area| whole.part(area));
        if !area.is_uniform() && !middle.is_some_and(|middle| middle.is_uniform()) {
            return Ok(Ok(area));
        }
        if now >= patience {
            return Ok(Err(nothing()));
        }
    }
}
