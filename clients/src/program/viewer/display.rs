//! A virtual display for a viewer: Xvfb, whose frame buffer is a file.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::changes::Changes;
use super::screenshot::Screenshot;
use super::settle::Work;
use crate::description::{Limits, Memory, Pattern};
use crate::process::{Job, Scratch, Started, Stdout, Watch, WatchResult};
use crate::sandbox::Sandbox;

/// Width and height in pixels, and bits per pixel.
const SIZE: &str = "1024x768x24";
/// The file of the frame buffer; the next constant is more than its number of bytes.
const FRAME: &str = "Xvfb_screen0";
const MOST_FRAME: u64 = 1 << 24;
/// Time limit for Xvfb to start, and for a window to disappear.
const PATIENCE: Duration = Duration::from_secs(20);
/// The time after which the screen is examined without an event.
const REST: Duration = Duration::from_millis(200);

/// The time that the server takes to become idle after an answer, and the number of times to wait for it.
const MOMENT: Duration = Duration::from_micros(300);
const TRIES: u32 = 30;

/// An X server without a physical display.
pub(super) struct VirtualDisplay {
    /// The events of its screen.
    pub changes: Changes,
    // Dropped before its folder.
    server: Started,
    folder: Scratch,
    number: String,
    /// The frame buffer that was read last; kept so that its memory is reused.
    frame: Vec<u8>,
}

impl VirtualDisplay {
    /// Starts a display; it is black.
    pub(super) fn new() -> io::Result<Self> {
        let folder = Scratch::new()?;
        let mut argv: Vec<OsString> =
            ["Xvfb", "-displayfd", "1", "-screen", "0", SIZE].map(Into::into).to_vec();
        argv.extend(["-noreset", "-nocursor", "-nolisten", "tcp", "-fbdir"].map(Into::into));
        argv.push(folder.path().into());
        let limits = Limits { memory: Memory::Resident, ..Limits::default() };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut server = Started::new(&Job {
            argv: &argv,
            env: &[("PATH".into(), path)],
            scratch: &folder,
            own: &[],
            values: &[],
            sockets: false,
            display: None,
            stdout: Stdout::Interactive,
            limits: &limits,
            // The server creates its socket in /tmp, and reads no file of a client.
            sandbox: &Sandbox::Off,
        })?;
        let watch = Watch {
            scratch: &folder,
            limits: &limits,
            deadline: Instant::now() + PATIENCE,
            wakes: None,
        };
        let seen = server.watch(&watch, &mut |output| output.start().ends_with(b"\n"))?;
        if seen != WatchResult::Done {
            let ended = server.end(None)?;
            let why = ended.stderr.text().trim().replace('\n', " ");
            return Err(io::Error::other(format!("Xvfb does not start: {why}")));
        }
        let number = server.take_answer().text_from(0).trim().to_string();
        let number = format!(":{number}");
        Ok(Self { changes: Changes::of(&number)?, server, folder, number, frame: Vec::new() })
    }

    /// The variable `DISPLAY` for a viewer.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        ("DISPLAY".into(), OsString::from(&self.number))
    }

    /// The socket to which programs connect.
    pub(super) fn socket(&self) -> PathBuf {
        PathBuf::from(format!("/tmp/.X11-unix/X{}", self.number.trim_start_matches(':')))
    }

    /// Returns the screen. `None` if it changed meanwhile.
    pub(super) fn screenshot(&mut self) -> io::Result<Option<Screenshot>> {
        if self.changes.any_until_now()? {
            return Ok(None);
        }
        self.frame.clear();
        self.folder.reader(FRAME)?.take(MOST_FRAME).read_to_end(&mut self.frame)?;
        if self.changes.any_until_now()? {
            return Ok(None);
        }
        let unreadable = || io::Error::other("Xvfb's frame buffer is unreadable");
        Screenshot::from_xwd(&self.frame).map(Some).ok_or_else(unreadable)
    }

    /// The work of the server and of a program that it shows.
    pub(super) fn work(&self, program: &Started) -> Work {
        let (server, program) = (self.server.usage(), program.usage());
        let ticks = server.ticks + program.ticks;
        Work { ticks, running: server.running || program.running }
    }

    /// The time until which neither the server nor the program does anything unless it is asked to; `None` if either is
    /// working.
    pub(super) fn idle(&mut self, program: &mut Started) -> Option<Instant> {
        let program = program.idle()?;
        Some(self.server.idle()?.until.min(program.until))
    }

    /// Returns true if the program has done nothing since [`VirtualDisplay::idle`], and the server has handled all its
    /// requests.
    pub(super) fn is_still(&mut self, program: &mut Started) -> bool {
        // The server has just answered us.
        let mut tries = 0..TRIES;
        while self.server.idle().is_none() {
            if tries.next().is_none() {
                return false;
            }
            std::thread::sleep(MOMENT);
        }
        program.idle().is_some_and(|idle| idle.same) && !program.has_hidden_timers()
    }

    /// Returns the first matching title in the list of windows.
    pub(super) fn titles(&self, wanted: &[Pattern]) -> Option<String> {
        if wanted.is_empty() {
            return None;
        }
        let list = Command::new("xwininfo")
            .args(["-root", "-tree", "-display", &self.number])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        let title = |line: &str| line.split('"').nth(1).map(str::to_string);
        text.lines().filter(|line| wanted.iter().any(|p| p.is_match(line))).find_map(title)
    }

    /// Waits until the screen fulfills a condition; returns false if it does not do so in time.
    pub(super) fn becomes(&mut self, wanted: &dyn Fn(&Screenshot) -> bool) -> io::Result<bool> {
        let end = Instant::now() + PATIENCE / 10;
        loop {
            if self.screenshot()?.is_some_and(|screen| wanted(&screen)) {
                return Ok(true);
            }
            let Some(left) = end.checked_duration_since(Instant::now()) else { return Ok(false) };
            // Events that have arrived have already been read, so only later ones wake us.
            let left = Timespec::try_from(left.min(REST)).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(&self.changes, PollFlags::IN)], Some(&left)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }
}

impl Drop for VirtualDisplay {
    /// Ends the server with SIGTERM, so that it removes its socket.
    fn drop(&mut self) {
        self.server.ask_to_end(PATIENCE / 10);
    }
}
