//! A virtual display for a viewer: Xvfb, whose frame buffer is a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::screenshot::Screenshot;
use crate::client::description::{Limits, Memory, Pattern};
use crate::client::process::{Job, Scratch, Started, Stdout, Watch, WatchResult};
use crate::client::sandbox::Sandbox;

/// Width and height in pixels, and bits per pixel.
const SIZE: &str = "1024x768x24";
/// Time limit for Xvfb to start, and for a window to disappear.
const PATIENCE: Duration = Duration::from_secs(20);

/// An X server without a physical display.
pub(super) struct VirtualDisplay {
    // Dropped before its folder.
    server: Started,
    folder: Scratch,
    number: String,
}

impl VirtualDisplay {
    /// Starts a display; it is black.
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
            own: &[],
            sockets: false,
            display: None,
            stdout: Stdout::Interactive,
            limits: &limits,
            // It creates its socket in /tmp and reads no client's file.
            sandbox: &Sandbox::Off,
        })?;
        let watch =
            Watch { scratch: &folder, limits: &limits, deadline: Instant::now() + PATIENCE };
        let seen = server.watch(&watch, &mut |output| output.start().ends_with(b"\n"))?;
        if seen != WatchResult::Done {
            let ended = server.end(None)?;
            let why = ended.stderr.text().trim().replace('\n', " ");
            return Err(io::Error::other(format!("Xvfb does not start: {why}")));
        }
        let number = server.take_answer().text_from(0).trim().to_string();
        Ok(Self { server, folder, number: format!(":{number}") })
    }

    /// The value of `DISPLAY` for a viewer.
    pub(super) fn number(&self) -> &str {
        &self.number
    }

    /// The socket that programs connect to.
    pub(super) fn socket(&self) -> PathBuf {
        PathBuf::from(format!("/tmp/.X11-unix/X{}", self.number.trim_start_matches(':')))
    }

    /// Reads the frame buffer into `bytes`, which is overwritten.
    pub(super) fn frame(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        File::open(self.folder.path().join("Xvfb_screen0"))?.read_to_end(bytes).map(|_| ())
    }

    /// Decodes a frame.
    pub(super) fn screenshot(frame: &[u8]) -> io::Result<Screenshot> {
        Screenshot::from_xwd(frame)
            .ok_or_else(|| io::Error::other("Xvfb's frame buffer is unreadable"))
    }

    /// Returns the first window title in the list of windows that matches.
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

    /// Waits until the display is blank; returns false if it does not become so.
    pub(super) fn becomes_blank(&self) -> bool {
        let end = Instant::now() + PATIENCE / 10;
        let mut frame = Vec::new();
        while Instant::now() < end {
            match self.frame(&mut frame).and_then(|()| Self::screenshot(&frame)) {
                Ok(screenshot) if screenshot.is_uniform() => return true,
                Ok(_) => thread::sleep(Duration::from_millis(10)),
                Err(_) => return false,
            }
        }
        false
    }
}

impl Drop for VirtualDisplay {
    /// Ends the server by SIGTERM, so that it removes its socket.
    fn drop(&mut self) {
        self.server.ask_to_end(PATIENCE / 10);
    }
}
