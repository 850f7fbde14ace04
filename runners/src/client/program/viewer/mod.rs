//! Viewers: programs with a window, shown on a screen of their own and photographed.
//!
//! The picture is taken when the screen has stood still, and the program rested, for a while.
//! A viewer that cannot show a file often says so inside its window. It has refused the file
//! if its middle has one colour, if a window has a title that the description says means
//! refusal, or if it shows what it shows of a file that is no picture at all.

mod screen;
mod shot;

use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::classify;
use super::setting::{Setting, refused};
use crate::client::Reply;
use crate::client::description::Argv;
use crate::client::process::{Seen, Stdout, Stop, Watch};
use screen::Screen;
use shot::Shot;

/// Between two looks at the screen.
const LOOK: Duration = Duration::from_millis(50);
/// How long it must stand still.
const STILL: Duration = Duration::from_millis(500);
/// No reader takes this for a picture.
const NO_PICTURE: &[u8] = b"This is no picture.\n";

/// What a viewer's client keeps: screens that nothing is shown on, and what an error looks
/// like.
#[derive(Default)]
pub(super) struct Viewing {
    idle: Mutex<Vec<Screen>>,
    error: OnceLock<Option<Shot>>,
}

impl Viewing {
    /// What the viewer shows of `file`.
    pub(super) fn show(&self, setting: &Arc<Setting>, file: &[u8]) -> io::Result<Reply> {
        let shot = match self.photograph(setting, file)? {
            Ok(shot) => shot,
            Err(reply) => return Ok(reply),
        };
        if self.error.get().is_none() {
            let error = self.photograph(setting, NO_PICTURE)?.ok();
            // Whoever was first has seen the same.
            let _ = self.error.set(error);
        }
        if self.error.get().and_then(Option::as_ref) == Some(&shot) {
            return Ok(refused("shows what it shows of a file that is no picture", None));
        }
        let trimmed = match setting.description.viewer.background {
            Some(background) => shot.without(background),
            None => Some(shot),
        };
        Ok(trimmed.and_then(Shot::into_picture).map_or_else(nothing, Reply::Picture))
    }

    fn photograph(&self, setting: &Arc<Setting>, file: &[u8]) -> io::Result<Result<Shot, Reply>> {
        let Some(argv) = &setting.description.run.viewer else {
            return Err(io::Error::other("a client without a viewer"));
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut screen = idle.map_or_else(Screen::new, Ok)?;
        let result = photograph_on(&mut screen, setting, argv, file);
        // One that something is left on is of no use.
        if screen.is_clear_again() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(screen);
        }
        result
    }
}

fn nothing() -> Reply {
    refused("shows no picture", None)
}

fn photograph_on(
    screen: &mut Screen,
    setting: &Arc<Setting>,
    argv: &Argv,
    file: &[u8],
) -> io::Result<Result<Shot, Reply>> {
    let description = &setting.description;
    let room = setting.room()?;
    std::fs::write(&room.input, file)?;
    let display = (OsString::from("DISPLAY"), OsString::from(screen.display()));
    let begun = Instant::now();
    let mut started = setting.start(&room, argv, Stdout::Ends, &[display])?;
    let (deadline, patience) = (setting.deadline(), begun + description.limits.time() / 2);
    // What was there at the last look, and now: frames, which are made pictures only in the end.
    let (mut last, mut frame, mut ticks) = (Vec::new(), Vec::new(), None);
    let mut since = begun;
    loop {
        let next = (Instant::now() + LOOK).min(deadline);
        let watch = Watch { scratch: &room.scratch, limits: &description.limits, deadline: next };
        match started.watch(&watch, &mut |_| false)? {
            Seen::Stopped(Stop::Time) => {}
            Seen::Stopped(stop) => return Ok(Err(classify::stopped(stop, description))),
            Seen::Done | Seen::Ended => {
                let ended = started.end(None)?;
                let said = room.words(&ended);
                let failure = room.failure(&ended);
                return Ok(Err(failure.unwrap_or_else(|| {
                    refused("ended without showing a picture", said.as_deref())
                })));
            }
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(Err(Reply::Hang));
        }
        let usage = started.usage();
        let worked = ticks.replace(usage.ticks) != Some(usage.ticks);
        screen.frame(&mut frame)?;
        if usage.running || worked || frame != last {
            std::mem::swap(&mut frame, &mut last);
            since = now;
            continue;
        }
        if now.duration_since(since) < STILL {
            continue;
        }
        let titles = screen.titles(&description.run.refused);
        if let Some(title) = titles {
            return Ok(Err(refused("shows a window", Some(&room.scrub.line(&title)))));
        }
        let whole = Screen::shot(&frame)?;
        let middle = description.viewer.middle.map(|middle| whole.part(middle));
        let area = description.viewer.area.map_or_else(|| whole.clone(), |area| whole.part(area));
        if !area.is_plain() && !middle.is_some_and(|middle| middle.is_plain()) {
            return Ok(Ok(area));
        }
        if now >= patience {
            return Ok(Err(nothing()));
        }
    }
}
