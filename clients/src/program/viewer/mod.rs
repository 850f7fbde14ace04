//! Viewers: GUI programs, run on a virtual display and captured by screenshot.
//!
//! The display reports each change by an event. The screenshot is taken after the display has been unchanged, and the
//! program and the display have been idle, for a while: half a second for a new picture, less for one that has been
//! seen before. A fresh process, which decides each finding, always gets the half second. The wait is skipped if the
//! blocked threads of the program and the display show that nothing will happen (`process::idleness`): the program was
//! idle while the screenshot was taken, and the display has handled all its requests.
//!
//! A viewer that can open another file on request stays alive for many files (`session`), if it shows the first file as
//! a fresh process does. If it then shows no picture, a fresh process decides.
//!
//! Many viewers report an unreadable file only inside their window. A viewer has refused the file if the middle of its
//! area has a single colour, if a window's title matches a pattern of the description, or if it shows the same as for a
//! file that is not a picture.

mod capture;
mod changes;
mod display;
mod screenshot;
mod session;
mod settle;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use super::classify;
use super::context::{ProgramContext, refused};
use crate::description::Argv;
use crate::process::{Stdout, WatchResult};
use crate::{Process, Reply};
use capture::{Expected, Seen, Shown};
use display::VirtualDisplay;
use screenshot::Screenshot;
use session::{Captured, Session};
use settle::EMPTY;

/// A file that no reader accepts as a picture.
const NO_PICTURE: &[u8] = b"This is no picture.\n";
/// The maximum number of pictures of settled screens that are kept.
const MOST_KNOWN: usize = 8;

/// Data kept between files: idle displays and viewers, and known screenshots.
#[derive(Default)]
pub(super) struct ViewerDriver {
    // Dropped before the displays.
    sessions: Mutex<Vec<Session>>,
    idle: Mutex<Vec<VirtualDisplay>>,
    error: OnceLock<Option<Screenshot>>,
    known: Mutex<Vec<Arc<Screenshot>>>,
    /// True if a viewer that stays alive shows a file like a fresh viewer.
    stays: OnceLock<bool>,
}

impl ViewerDriver {
    /// Captures the viewer's picture of `file`.
    pub(super) fn show(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
        process: Process,
    ) -> io::Result<Reply> {
        let captured = match process {
            Process::Any => self.any(context, file)?,
            Process::Fresh => self.capture(context, file, Process::Fresh)?,
        };
        let screenshot = match captured {
            Ok(screenshot) => screenshot,
            Err(reply) => return Ok(reply),
        };
        if self.error.get().is_none() {
            let error = self.capture(context, NO_PICTURE, Process::Fresh)?.ok();
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

    fn any(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
    ) -> io::Result<Result<Screenshot, Reply>> {
        if context.description.viewer.open.is_some() {
            match self.stays.get() {
                None => {
                    let fresh = self.capture(context, file, Process::Fresh)?;
                    if let Ok(expected) = &fresh {
                        let stays = self.in_session(context, file)?.as_ref() == Some(expected);
                        // Another thread may have been first.
                        let _ = self.stays.set(stays);
                    }
                    return Ok(fresh);
                }
                Some(true) => {
                    if let Some(screenshot) = self.in_session(context, file)? {
                        return Ok(Ok(screenshot));
                    }
                }
                Some(false) => {}
            }
        }
        self.capture(context, file, Process::Any)
    }

    /// Captures the picture in a viewer that stays alive; `None` if a fresh viewer must decide.
    fn in_session(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
    ) -> io::Result<Option<Screenshot>> {
        let idle = lock(&self.sessions).pop();
        let mut session = match idle {
            Some(session) => session,
            None => match Session::start(context, self.display()?)? {
                Some(session) => session,
                None => return Ok(None),
            },
        };
        let captured = session.show(file, &|picture| self.is_known(picture))?;
        if !matches!(captured, Captured::Unusable) && session.draw_curtain()? {
            lock(&self.sessions).push(session);
        } else {
            self.put_back(session.end())?;
        }
        let Captured::Picture { area, settled } = captured else { return Ok(None) };
        if settled {
            self.learn(&area);
        }
        Ok(Some(area))
    }

    fn capture(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
        process: Process,
    ) -> io::Result<Result<Screenshot, Reply>> {
        let Some(argv) = &context.description.run.viewer else {
            return Err(io::Error::other("a client without a viewer"));
        };
        let mut display = self.display()?;
        let known = |picture: &Screenshot| process == Process::Any && self.is_known(picture);
        let result = capture_on(&mut display, context, argv, file, &known)?;
        self.put_back(display)?;
        Ok(result.map(|(area, settled)| {
            if settled {
                self.learn(&area);
            }
            area
        }))
    }

    fn display(&self) -> io::Result<VirtualDisplay> {
        let idle = lock(&self.idle).pop();
        idle.map_or_else(VirtualDisplay::new, Ok)
    }

    fn put_back(&self, mut display: VirtualDisplay) -> io::Result<()> {
        // A display with leftovers cannot be reused.
        if display.becomes(&Screenshot::is_uniform)? {
            lock(&self.idle).push(display);
        }
        Ok(())
    }

    fn is_known(&self, picture: &Screenshot) -> bool {
        // Screens are compared without the lock.
        let known = lock(&self.known).clone();
        known.iter().any(|known| **known == *picture)
    }

    fn learn(&self, picture: &Screenshot) {
        if !self.is_known(picture) {
            let mut known = lock(&self.known);
            if known.len() == MOST_KNOWN {
                // The first known screen is that of the seed.
                known.remove(1);
            }
            known.push(Arc::new(picture.clone()));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn nothing() -> Reply {
    refused("shows no picture", None)
}

/// Captures the picture of a fresh process, and returns whether it was stable for the whole time.
fn capture_on(
    display: &mut VirtualDisplay,
    context: &Arc<ProgramContext>,
    argv: &Argv,
    file: &[u8],
    known: &dyn Fn(&Screenshot) -> bool,
) -> io::Result<Result<(Screenshot, bool), Reply>> {
    let description = &context.description;
    let workspace = context.workspace()?;
    workspace.put(file)?;
    let patience = Instant::now() + description.limits.time() / 2;
    let (variable, socket) = (display.variable(), display.socket());
    let mut started = context.start(&workspace, argv, Stdout::Ends, &[variable], Some(&socket))?;
    let deadline = context.deadline();
    let mut shown = Shown {
        context,
        workspace: &workspace,
        started: &mut started,
        display,
        deadline,
        patience,
        empty: EMPTY,
    };
    Ok(match shown.settle(&Expected { known, before: None })? {
        Seen::Picture { area, settled } => Ok((area, settled)),
        Seen::Nothing { .. } => Err(nothing()),
        Seen::Title(title) => Err(refused("shows a window", Some(&workspace.scrub.line(&title)))),
        Seen::Late => Err(Reply::Hang),
        Seen::Gone(WatchResult::Stopped(stop)) => Err(classify::stopped(stop, description)),
        Seen::Gone(_) => {
            let ended = started.end(None)?;
            let message = workspace.words(&ended);
            let failure = workspace.failure(&ended)?;
            Err(failure
                .unwrap_or_else(|| refused("ended without showing a picture", message.as_deref())))
        }
    })
}
