//! What every way to run a client has in common: its folder, its environment, its words.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::classify;
use crate::client::Reply;
use crate::client::description::{Argv, Description, Places, Version};
use crate::client::message::Scrubber;
use crate::client::output::{self, OutputError};
use crate::client::process::{self, Ended, Job, Scratch, Started, Stdout};
use crate::client::sandbox::Sandbox;

/// A description, and what is around the programs that it names.
pub(super) struct Setting {
    pub description: Description,
    pub sandbox: Arc<Sandbox>,
}

/// A scratch folder with its names.
pub(super) struct Room {
    pub scratch: Scratch,
    pub input: PathBuf,
    pub output: PathBuf,
    pub scrub: Scrubber,
    setting: Arc<Setting>,
}

impl Setting {
    /// A new scratch folder.
    pub(super) fn room(self: &Arc<Self>) -> io::Result<Room> {
        let description = &self.description;
        let scratch = Scratch::new()?;
        let input = scratch.path().join(description.input());
        let output = scratch.path().join(format!("out.{}", description.output.format.extension()));
        let scrub = Scrubber::new()
            .path(&input, "{in}")
            .path(&output, "{out}")
            .path(scratch.path(), "{dir}")
            .path(&description.here, "{here}")
            .path(&description.tools_folder, "{tools}");
        Ok(Room { scratch, input, output, scrub, setting: self.clone() })
    }

    /// When a program that starts now must have ended.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.description.limits.time()
    }

    /// Runs one program in the room.
    pub(super) fn run(
        &self,
        room: &Room,
        argv: &Argv,
        stdout: Stdout<'_>,
        deadline: Instant,
    ) -> io::Result<Ended> {
        self.with_job(room, argv, stdout, &[], |job| process::run(job, deadline))
    }

    /// Starts a program in the room, with more in its environment.
    pub(super) fn start(
        &self,
        room: &Room,
        argv: &Argv,
        stdout: Stdout<'_>,
        more: &[(OsString, OsString)],
    ) -> io::Result<Started> {
        self.with_job(room, argv, stdout, more, Started::new)
    }

    fn with_job<T>(
        &self,
        room: &Room,
        argv: &Argv,
        stdout: Stdout<'_>,
        more: &[(OsString, OsString)],
        work: impl FnOnce(&Job<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut env = self.environment(&room.places());
        env.extend_from_slice(more);
        work(&Job {
            argv: &argv.fill(&room.places()),
            env: &env,
            scratch: &room.scratch,
            stdout,
            limits: &self.description.limits,
            sandbox: &self.sandbox,
        })
    }

    fn environment(&self, places: &Places<'_>) -> Vec<(OsString, OsString)> {
        let run = &self.description.run;
        let mut env: Vec<(OsString, OsString)> = Vec::new();
        if run.inherit_env {
            env.extend(std::env::vars_os());
        } else if let Some(path) = std::env::var_os("PATH") {
            env.push(("PATH".into(), path));
        }
        for name in ["HOME", "TMPDIR", "TMP", "TEMP"] {
            env.push((name.into(), places.dir.into()));
        }
        for name in ["LANG", "LC_ALL"] {
            env.push((name.into(), "C.UTF-8".into()));
        }
        // Later entries win.
        env.extend(run.env.iter().map(|(name, value)| (name.into(), value.fill(places))));
        env
    }

    /// The picture in the bytes of a picture file; `said` is what the client printed.
    pub(super) fn picture(&self, bytes: &[u8], said: Option<&str>) -> Reply {
        match output::decode(bytes, self.description.output.format) {
            Ok(picture) => Reply::Picture(picture),
            Err(OutputError::Unreadable(why)) => {
                refused(&format!("made a picture file that cannot be read ({why})"), said)
            }
            Err(e @ OutputError::TooLarge(..)) => Reply::Resource { message: format!("made {e}") },
        }
    }

    /// What the client prints when asked for its version.
    pub(super) fn ask_version(self: &Arc<Self>, version: &Version) -> io::Result<String> {
        let room = self.room()?;
        let ended = self.run(&room, &version.command, Stdout::Ends, self.deadline())?;
        let text = format!("{}\n{}", ended.stdout.head(), ended.stderr.head());
        let found = match &version.pattern {
            Some(pattern) => pattern.find(&text).unwrap_or_default(),
            None => text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default(),
        };
        Ok(Scrubber::new().line(found))
    }
}

impl Room {
    pub(super) fn places(&self) -> Places<'_> {
        Places {
            input: &self.input,
            output: &self.output,
            dir: self.scratch.path(),
            here: &self.setting.description.here,
            tools: &self.setting.description.tools_folder,
        }
    }

    /// What a program that ended by itself did, unless all was well.
    pub(super) fn failure(&self, ended: &Ended) -> Option<Reply> {
        let scrub = self.scrub.clone().pid(ended.pid);
        classify::failure(ended, &self.setting.description, &self.scratch, &scrub)
    }

    /// The last words of a program.
    pub(super) fn words(&self, ended: &Ended) -> Option<String> {
        classify::words(ended, &self.scrub.clone().pid(ended.pid))
    }
}

/// A refusal in our words and, if it had any, in the client's.
pub(super) fn refused(what: &str, said: Option<&str>) -> Reply {
    let message = match said {
        Some(words) => format!("{what}: {words}"),
        None => what.to_string(),
    };
    Reply::Refused { message }
}
