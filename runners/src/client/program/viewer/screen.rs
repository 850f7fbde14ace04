//! A screen of its own for a viewer: Xvfb, whose frame buffer is a file.

use std::fs::File;
use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::shot::Shot;
use crate::client::description::{Limits, Memory, Pattern};
use crate::client::process::{Job, Scratch, Seen, Started, Stdout, Watch};
use crate::client::sandbox::Sandbox;

/// Width and height in pixels, and bits a pixel.
const SIZE: &str = "1024x768x24";
/// How long Xvfb may take to start, and a window to go.
const PATIENCE: Duration = Duration::from_secs(20);

/// An X server that shows nothing to anybody.
pub(super) struct Screen {
    // Ends before its folder goes.
    server: Started,
    folder: Scratch,
    display: String,
}

impl Screen {
    /// A new one, black.
    pub(super) fn new() -> io::Result<Self> {
        let folder = Scratch::new()?;
        let mut argv: Vec<std::ffi::OsString> =
            ["Xvfb", "-displayfd", "1", "-screen", "0", SIZE].map(Into::into).to_vec();
        argv.extend(["-noreset", "-nocursor", "-nolisten", "tcp", "-fbdir"].map(Into::into));
        argv.push(folder.path().into());
        let limits = Limits { memory: Memory::Resident, ..Limits::default() };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut server = Started::new(&Job {
            argv: &argv,
            env: &[("PATH".into(), path)],
            scratch: &folder,
            stdout: Stdout::Dialogue,
            limits: &limits,
            // It makes its socket in /tmp, and reads no file of ours.
            sandbox: &Sandbox::Off,
        })?;
        let watch =
            Watch { scratch: &folder, limits: &limits, deadline: Instant::now() + PATIENCE };
        let seen = server.watch(&watch, &mut |said| said.ends_with(b"\n"))?;
        if seen != Seen::Done {
            let ended = server.end(None)?;
            let why = ended.stderr.text().trim().replace('\n', " ");
            return Err(io::Error::other(format!("Xvfb does not start: {why}")));
        }
        let number = String::from_utf8_lossy(&server.take_answer()).trim().to_string();
        Ok(Self { server, folder, display: format!(":{number}") })
    }

    /// What a viewer must find in `DISPLAY`.
    pub(super) fn display(&self) -> &str {
        &self.display
    }

    /// What is on it, as its frame buffer says; `bytes` are overwritten.
    pub(super) fn frame(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        File::open(self.folder.path().join("Xvfb_screen0"))?.read_to_end(bytes).map(|_| ())
    }

    /// The picture in a frame.
    pub(super) fn shot(frame: &[u8]) -> io::Result<Shot> {
        Shot::of_xwd(frame).ok_or_else(|| io::Error::other("Xvfb's frame buffer is unreadable"))
    }

    /// The first line of the list of windows that has a match.
    pub(super) fn titles(&self, wanted: &[Pattern]) -> Option<String> {
        if wanted.is_empty() {
            return None;
        }
        let list = Command::new("xwininfo")
            .args(["-root", "-tree", "-display", &self.display])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        let title = |line: &str| line.split('"').nth(1).map(str::to_string);
        text.lines().filter(|line| wanted.iter().any(|p| p.is_match(line))).find_map(title)
    }

    /// Waits until nothing is shown any more.
    pub(super) fn is_clear_again(&self) -> bool {
        let end = Instant::now() + PATIENCE / 10;
        let mut frame = Vec::new();
        while Instant::now() < end {
            match self.frame(&mut frame).and_then(|()| Self::shot(&frame)) {
                Ok(shot) if shot.is_plain() => return true,
                Ok(_) => thread::sleep(Duration::from_millis(10)),
                Err(_) => return false,
            }
        }
        false
    }
}

impl Drop for Screen {
    /// Asked to, it removes its socket.
    fn drop(&mut self) {
        self.server.ask_to_end(PATIENCE / 10);
    }
}
