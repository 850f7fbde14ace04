//! Clients that are programs: each run in a session, a scratch folder and limits of its own.
//!
//! A client is held like this:
//!
//! - its own session, hence process group; stdin is empty; no core dumps; it dies with
//!   repfuzz. At the end the whole group is killed, and so are its descendants that
//!   left the group or the session: repfuzz is their subreaper, so they become its children
//!   (see `containment.rs`);
//! - an address space limit (or a watch on resident memory), a limit on every file's size
//!   and, looked at while it runs, on the scratch folder as a whole;
//! - `HOME` and `TMPDIR` are the scratch folder, which is the current folder too and is
//!   removed afterwards; the environment is bare, the locale C.UTF-8;
//! - what it prints is read all the time and only its end kept.
//!
//! What is *not* contained: files that a client writes elsewhere, by an absolute path; the
//! network; a descendant that has both made a session of its own and cleared its environment is
//! only killed once no other client runs. This is housekeeping against faulty clients, no
//! sandbox against hostile ones.

mod classify;
mod containment;
mod process;
mod scratch;
mod tail;

use std::ffi::OsString;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::description::{Description, From, Places, Version};
use super::message::Scrubber;
use super::output::{self, OutputError};
use super::{Client, Reply};
use process::{Job, Stdout};
use scratch::Scratch;

/// The file that a client is given. A plain name: odd ones are another test.
const INPUT: &str = "in.tif";

/// A client that is a program.
pub struct CommandClient {
    description: Description,
    version: OnceLock<String>,
    ignores: Vec<String>,
    /// Keeps the folder with the shipped glue alive.
    _glue: Option<Arc<tempfile::TempDir>>,
}

impl CommandClient {
    /// The client of this description.
    pub fn new(description: Description) -> Self {
        let ignores = description.ignores.iter().map(|i| i.what.clone()).collect();
        Self { description, version: OnceLock::new(), ignores, _glue: None }
    }

    /// The client of a description whose `{here}` is a temporary folder.
    pub(super) fn with_glue(description: Description, glue: Arc<tempfile::TempDir>) -> Self {
        Self { _glue: Some(glue), ..Self::new(description) }
    }

    /// Its description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The first of its programs that is not on this machine.
    pub fn missing_program(&self) -> Option<String> {
        let run = &self.description.run;
        std::iter::once(&run.command)
            .chain(&run.then)
            .filter_map(|argv| argv.program())
            .find(|program| !is_installed(program))
            .map(str::to_string)
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

    /// Runs every command on the file; the last word on it, unless all ended well.
    fn run_in(&self, scratch: &Scratch, file: &[u8]) -> io::Result<Reply> {
        let description = &self.description;
        let input = scratch.path().join(INPUT);
        std::fs::write(&input, file)?;
        let output = scratch.path().join(format!("out.{}", description.output.format.extension()));
        let places =
            Places { input: &input, output: &output, dir: scratch.path(), here: &description.here };
        let scrub = Scrubber::new()
            .path(&input, "{in}")
            .path(&output, "{out}")
            .path(scratch.path(), "{dir}")
            .path(&description.here, "{here}");
        let env = self.environment(&places);
        let deadline = Instant::now() + description.limits.time();
        let commands = || std::iter::once(&description.run.command).chain(&description.run.then);
        let last = commands().count() - 1;
        for (at, argv) in commands().enumerate() {
            let to_file = at == last && description.output.from == From::Stdout;
            let ended = process::run(&Job {
                argv: &argv.fill(&places),
                env: &env,
                scratch,
                stdout: if to_file { Stdout::File(&output) } else { Stdout::Kept },
                limits: &description.limits,
                deadline,
            })?;
            let scrub = scrub.clone().pid(ended.pid);
            if let Some(reply) = classify::failure(&ended, description, scratch, &scrub) {
                return Ok(reply);
            }
            if at == last {
                let said = classify::words(&ended, &scrub);
                return self.picture(scratch, said);
            }
        }
        unreachable!("there is at least one command")
    }

    /// The picture that a client that ended well has made.
    fn picture(&self, scratch: &Scratch, said: Option<String>) -> io::Result<Reply> {
        let output = &self.description.output;
        let refused = |what: &str| Reply::Refused {
            message: match &said {
                Some(words) => format!("{what}: {words}"),
                None => what.to_string(),
            },
        };
        let limit = self.description.limits.disk_mb << 20;
        let plain = format!("out.{}", output.format.extension());
        let wanted = |name: &str| match &output.path {
            Some(path) => path.matches(name) && name != INPUT,
            None => name == plain,
        };
        let Some(bytes) = scratch.read(wanted, limit)? else {
            return Ok(refused("made no picture"));
        };
        if bytes.is_empty() {
            return Ok(refused("made no picture"));
        }
        Ok(match output::decode(&bytes, output.format) {
            Ok(picture) => Reply::Picture(picture),
            Err(OutputError::Unreadable(why)) => {
                refused(&format!("made a picture file that cannot be read ({why})"))
            }
            Err(e @ OutputError::TooLarge(..)) => Reply::Resource { message: format!("made {e}") },
        })
    }

    /// What the client prints when asked for its version.
    fn ask_version(&self, version: &Version) -> io::Result<String> {
        let scratch = Scratch::new()?;
        let places = Places {
            input: scratch.path(),
            output: scratch.path(),
            dir: scratch.path(),
            here: &self.description.here,
        };
        let ended = process::run(&Job {
            argv: &version.command.fill(&places),
            env: &self.environment(&places),
            scratch: &scratch,
            stdout: Stdout::Kept,
            limits: &self.description.limits,
            deadline: Instant::now() + self.description.limits.time(),
        })?;
        let text = format!("{}\n{}", ended.stdout.head(), ended.stderr.head());
        let found = match &version.pattern {
            Some(pattern) => pattern.find(&text).unwrap_or_default(),
            None => text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default(),
        };
        Ok(Scrubber::new().line(found))
    }
}

impl Client for CommandClient {
    fn name(&self) -> &str {
        self.description.name.as_str()
    }

    fn version(&self) -> &str {
        self.version.get_or_init(|| match &self.description.version {
            // A client that cannot say its version can still be tested.
            Some(version) => self.ask_version(version).unwrap_or_default(),
            None => String::new(),
        })
    }

    fn summary(&self) -> &str {
        &self.description.summary
    }

    fn command(&self) -> Option<String> {
        Some(self.description.command_line())
    }

    fn applies(&self) -> &[String] {
        &self.description.applies
    }

    fn ignores(&self) -> &[String] {
        &self.ignores
    }

    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        let scratch = Scratch::new()?;
        self.run_in(&scratch, file)
    }
}

/// Whether a program can be found: on `PATH`, or where its path says.
fn is_installed(program: &str) -> bool {
    use rustix::fs::{Access, access};
    let runs = |path: &std::path::Path| path.is_file() && access(path, Access::EXEC_OK).is_ok();
    if program.contains('/') {
        return runs(program.as_ref());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| runs(&folder.join(program)))
}
