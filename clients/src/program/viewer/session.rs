//! A viewer that stays alive and is told to open file after file.
//!
//! Between two files it opens a *curtain*, a picture of noise. The screen is therefore known before each file, and the
//! picture of one file cannot be mistaken for that of the next.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::context::{ProgramContext, Workspace};
use super::capture::{Expected, Seen, Shown};
use super::display::VirtualDisplay;
use super::screenshot::Screenshot;
use super::settle::{EMPTY, STILL};
use crate::description::Open;
use crate::process::{Folder, Scratch, Started, Stdout, is_obstacle};

/// The number of files after which a viewer is replaced.
const MOST_FILES: u32 = 200;
/// Time for a viewer to open its socket.
const PATIENCE: Duration = Duration::from_secs(5);
/// Width and height of the curtain.
const CURTAIN: (usize, usize) = (61, 37);

/// A viewer that has the curtain on its screen.
pub(super) struct Session {
    // Dropped before its display.
    started: Started,
    pub display: VirtualDisplay,
    workspace: Workspace,
    context: Arc<ProgramContext>,
    curtain: Screenshot,
    served: u32,
}

/// The screen of a session after the request to open a file.
pub(super) enum Captured {
    /// A picture.
    Picture {
        /// The area of the screen that counts.
        area: Screenshot,
        /// See [`Seen::Picture`].
        settled: bool,
    },
    /// The viewer has removed the curtain, but shows no picture.
    Nothing,
    /// The viewer does not obey the request.
    Unusable,
}

impl Session {
    /// Starts a viewer; returns `None` if it does not show the curtain.
    pub(super) fn start(
        context: &Arc<ProgramContext>,
        mut display: VirtualDisplay,
    ) -> io::Result<Option<Self>> {
        let Some(argv) = &context.description.run.viewer else {
            return Err(io::Error::other("a client without a viewer"));
        };
        let mut workspace = context.workspace()?;
        let curtain = put(&workspace.scratch, "0", "curtain.ppm", &curtain())?;
        workspace.input = curtain;
        let mut started = context.start(
            &workspace,
            argv,
            Stdout::Interactive,
            &[display.variable()],
            Some(&display.socket()),
        )?;
        let mut shown = Shown {
            context,
            workspace: &workspace,
            started: &mut started,
            display: &mut display,
            deadline: context.deadline(),
            patience: context.deadline(),
            empty: EMPTY,
        };
        let seen = shown.settle(&Expected { known: &|_| false, before: None })?;
        let (Seen::Picture { .. }, Some(curtain)) = (seen, display.screenshot()?) else {
            return Ok(None);
        };
        let context = context.clone();
        Ok(Some(Self { started, display, workspace, context, curtain, served: 0 }))
    }

    /// Makes the viewer show `file`. If it shows no picture, a fresh process decides.
    pub(super) fn show(
        &mut self,
        file: &[u8],
        known: &dyn Fn(&Screenshot) -> bool,
    ) -> io::Result<Captured> {
        self.served += 1;
        self.started.take_answer();
        self.started.forget_messages();
        self.started.restart_sampling();
        // The path is new each time, because viewers cache pictures by path, and read neighboring files ahead.
        let folder = self.served.to_string();
        let name = self.context.description.input();
        let path = match put(&self.workspace.scratch, &folder, &name, file) {
            Err(e) if is_obstacle(&e) => return Ok(Captured::Unusable),
            path => path?,
        };
        let deadline = self.context.deadline();
        if self.tell(path, deadline).is_err() {
            return Ok(Captured::Unusable);
        }
        let mut shown = Shown {
            context: &self.context,
            workspace: &self.workspace,
            started: &mut self.started,
            display: &mut self.display,
            deadline,
            patience: Instant::now() + PATIENCE,
            // In this case, a fresh process decides.
            empty: STILL,
        };
        let seen = shown.settle(&Expected { known, before: Some(&self.curtain) })?;
        // The viewer cannot end with an error here, because its folder is removed with it in any case.
        self.workspace.scratch.remove(&folder);
        Ok(match seen {
            Seen::Picture { area, settled } => Captured::Picture { area, settled },
            Seen::Nothing { changed: true } => Captured::Nothing,
            _ => Captured::Unusable,
        })
    }

    /// Draws the curtain again; returns false if the viewer cannot be used for another file.
    pub(super) fn draw_curtain(&mut self) -> io::Result<bool> {
        let curtain = self.workspace.scratch.path().join("0").join("curtain.ppm");
        if self.served >= MOST_FILES || self.tell(curtain, Instant::now() + PATIENCE).is_err() {
            return Ok(false);
        }
        let curtain = &self.curtain;
        self.display.becomes(&|screen| screen == curtain)
    }

    /// Ends the viewer and returns its display.
    pub(super) fn end(self) -> VirtualDisplay {
        drop(self.started);
        self.display
    }

    fn tell(&mut self, path: PathBuf, deadline: Instant) -> io::Result<()> {
        let Some(open) = &self.context.description.viewer.open else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        self.workspace.input = path;
        let mut stream = connect(&self.workspace.scratch, open)?;
        let left = deadline.saturating_duration_since(Instant::now()).min(PATIENCE);
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        for words in &open.say {
            let words = words.fill(&self.workspace.placeholders());
            stream.write_all(words.as_encoded_bytes())?;
            let mut answer = vec![0; open.answer.len()];
            stream.read_exact(&mut answer)?;
            if answer != open.answer.as_bytes() {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(())
    }
}

/// Connects to the socket of a viewer. It must be below its scratch folder, so that it cannot lead to other sockets.
fn connect(folder: &Folder, open: &Open) -> io::Result<UnixStream> {
    let end = Instant::now() + PATIENCE;
    loop {
        match folder.connect(&open.socket) {
            // The socket does not exist yet, or the viewer has not accepted the last connection.
            Err(e)
                if [io::ErrorKind::NotFound, io::ErrorKind::WouldBlock].contains(&e.kind())
                    && Instant::now() < end =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
}

/// Writes a file into a new folder below the scratch folder.
fn put(scratch: &Scratch, folder: &str, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    scratch.make(folder)?.put(name, bytes)?;
    Ok(scratch.path().join(folder).join(name))
}

/// The curtain, as a PPM file: noise, which no picture of a test equals.
fn curtain() -> Vec<u8> {
    let (width, height) = CURTAIN;
    let mut file = format!("P6\n{width} {height}\n255\n").into_bytes();
    let mut state = 0x2545_F491_u32;
    file.extend((0..3 * width * height).map(|_| {
        // A step of xorshift.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    }));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_folders_of_their_own() {
        let scratch = Scratch::new().unwrap();
        let path = put(&scratch, "1", "in.tif", b"II").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"II");
        assert!(put(&scratch, "1", "in.tif", b"MM").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"II");
        // The viewer has put a link in the place of the next folder.
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), scratch.path().join("2")).unwrap();
        assert!(put(&scratch, "2", "in.tif", b"MM").is_err_and(|e| is_obstacle(&e)));
        assert!(!outside.path().join("in.tif").exists());
    }
}
