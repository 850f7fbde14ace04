//! The parts that all ways to run a client share: its folder, environment and messages.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::classify;
use crate::Reply;
use crate::description::{Argv, Description, Placeholders, Rectangle, Version};
use crate::message::Scrubber;
use crate::output::{self, OutputError};
use crate::process::{self, Ended, Job, Scratch, Started, Stdout};
use crate::sandbox::Sandbox;

/// A description and the sandbox of its programs.
pub(super) struct ProgramContext {
    pub description: Description,
    pub sandbox: Arc<Sandbox>,
}

/// A scratch folder with the paths of the client's files.
pub(super) struct Workspace {
    pub scratch: Scratch,
    pub input: PathBuf,
    pub output: PathBuf,
    pub scrub: Scrubber,
    /// The region that a command reads; `None` for commands that read the whole picture.
    pub region: Option<Rectangle>,
    context: Arc<ProgramContext>,
}

impl ProgramContext {
    /// Creates a scratch folder for one picture.
    pub(super) fn workspace(self: &Arc<Self>) -> io::Result<Workspace> {
        self.workspace_for(self.description.output.format.extension())
    }

    /// Creates a scratch folder for output with this extension.
    pub(super) fn workspace_for(self: &Arc<Self>, extension: &str) -> io::Result<Workspace> {
        let description = &self.description;
        let scratch = Scratch::sized(self.sandbox.is_in_memory(), &description.limits)?;
        let input = scratch.path().join(description.input());
        let output = scratch.path().join(format!("out.{extension}"));
        let scrub = Scrubber::new()
            .path(&input, "{in}")
            .path(&output, "{out}")
            .path(scratch.path(), "{dir}")
            .path(&description.here, "{here}")
            .path(&description.tools_folder, "{tools}");
        Ok(Workspace { scratch, input, output, scrub, region: None, context: self.clone() })
    }

    /// The deadline of a program that starts now.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.description.limits.time()
    }

    /// Runs one program to its end in the scratch folder.
    pub(super) fn run(
        &self,
        workspace: &Workspace,
        argv: &Argv,
        stdout: Stdout<'_>,
        deadline: Instant,
    ) -> io::Result<Ended> {
        self.with_job(workspace, argv, stdout, &[], None, |job| process::run(job, deadline))
    }

    /// Starts a program in the scratch folder, with additional environment variables and optionally a display, given by
    /// its socket.
    pub(super) fn start(
        &self,
        workspace: &Workspace,
        argv: &Argv,
        stdout: Stdout<'_>,
        more: &[(OsString, OsString)],
        display: Option<&Path>,
    ) -> io::Result<Started> {
        self.with_job(workspace, argv, stdout, more, display, Started::new)
    }

    fn with_job<T>(
        &self,
        workspace: &Workspace,
        argv: &Argv,
        stdout: Stdout<'_>,
        more: &[(OsString, OsString)],
        display: Option<&Path>,
        work: impl FnOnce(&Job<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut env = self.environment(&workspace.placeholders());
        env.extend_from_slice(more);
        let run = &self.description.run;
        let own = run.env.values().map(|value| value.fill(&workspace.placeholders()));
        work(&Job {
            argv: &argv.fill(&workspace.placeholders()),
            env: &env,
            scratch: &workspace.scratch,
            own: &[&self.description.here, &self.description.tools_folder],
            values: &own.collect::<Vec<OsString>>(),
            sockets: run.sockets,
            display,
            stdout,
            limits: &self.description.limits,
            sandbox: &self.sandbox,
        })
    }

    fn environment(&self, placeholders: &Placeholders<'_>) -> Vec<(OsString, OsString)> {
        let run = &self.description.run;
        let mut env: Vec<(OsString, OsString)> = Vec::new();
        if run.inherit_env {
            env.extend(std::env::vars_os());
        } else if let Some(path) = std::env::var_os("PATH") {
            env.push(("PATH".into(), path));
        }
        for name in ["HOME", "TMPDIR", "TMP", "TEMP"] {
            env.push((name.into(), placeholders.dir.into()));
        }
        for name in ["LANG", "LC_ALL"] {
            env.push((name.into(), "C.UTF-8".into()));
        }
        // Later entries override earlier ones.
        env.extend(run.env.iter().map(|(name, value)| (name.into(), value.fill(placeholders))));
        env
    }

    /// Decodes a picture file; `message` is the client's message.
    pub(super) fn picture(&self, bytes: &[u8], message: Option<&str>) -> Reply {
        match output::decode(bytes, self.description.output.format) {
            Ok(picture) => Reply::Picture(picture),
            Err(OutputError::Unreadable(why)) => {
                refused(&format!("made a picture file that cannot be read ({why})"), message)
            }
            Err(OutputError::Empty(width, height)) => {
                Reply::Empty { message: with_words(&format!("{width}x{height} pixels"), message) }
            }
            Err(e @ OutputError::TooLarge(..)) => Reply::Resource { message: format!("made {e}") },
        }
    }

    /// Runs the client's version command and extracts the version.
    ///
    /// # Errors
    ///
    /// Returns the reason why the version is unknown. The output of a failing command is never used as a version.
    pub(super) fn ask_version(self: &Arc<Self>, version: &Version) -> Result<String, String> {
        let ours = |error: io::Error| format!("its command cannot be run: {error}");
        let workspace = self.workspace().map_err(ours)?;
        let ended =
            self.run(&workspace, &version.command, Stdout::Ends, self.deadline()).map_err(ours)?;
        let failed = ended.stopped.is_some() || !ended.status.success();
        let failure = if failed { workspace.failure(&ended).map_err(ours)? } else { None };
        match failure {
            Some(Reply::Refused { .. }) if version.fails => {}
            Some(Reply::Refused { message }) => {
                return Err(format!("its command fails: {message}"));
            }
            Some(Reply::Crash { message }) => {
                return Err(format!("its command crashes: {message}"));
            }
            Some(Reply::Resource { message }) => {
                return Err(format!("its command exceeds a limit: {message}"));
            }
            Some(Reply::Hang) => return Err("its command does not finish".to_owned()),
            Some(Reply::Picture(_) | Reply::Empty { .. }) | None => {}
        }
        let text = format!("{}\n{}", ended.stdout.head(), ended.stderr.head());
        let found = match &version.pattern {
            Some(pattern) => pattern.find(&text),
            None => text.lines().find(|line| !line.trim().is_empty()),
        };
        let line = found.map(|found| Scrubber::new().line(found)).unwrap_or_default();
        match line.is_empty() {
            true => Err("its command prints none".to_owned()),
            false => Ok(line),
        }
    }
}

impl Workspace {
    /// Puts the client's input file into its place.
    ///
    /// # Errors
    ///
    /// See [`Folder::put`](process::Folder::put).
    pub(super) fn put(&self, file: &[u8]) -> io::Result<()> {
        self.scratch.put(&self.context.description.input(), file)
    }

    pub(super) fn placeholders(&self) -> Placeholders<'_> {
        Placeholders {
            input: &self.input,
            output: &self.output,
            dir: self.scratch.path(),
            here: &self.context.description.here,
            tools: &self.context.description.tools_folder,
            region: self.region,
        }
    }

    /// Classifies a program that ended by itself; `None` if it succeeded.
    ///
    /// # Errors
    ///
    /// Returns an error if our disk is full, because nothing can be concluded then.
    pub(super) fn failure(&self, ended: &Ended) -> io::Result<Option<Reply>> {
        let said = classify::no_space_left(ended);
        self.require_room(said)?;
        let scrub = self.scrub.clone().pid(ended.pid);
        Ok(classify::failure(ended, &self.context.description, &self.scratch, &scrub))
    }

    /// Checks that there is room on the disk; if the client `said` that there is none, there must be as much room as it
    /// may use.
    pub(super) fn require_room(&self, said: bool) -> io::Result<()> {
        let most = self.context.description.limits.disk_mb << 20;
        self.scratch.require_room(if said { most } else { 0 })
    }

    /// The last message of a program.
    pub(super) fn words(&self, ended: &Ended) -> Option<String> {
        classify::words(ended, &self.scrub.clone().pid(ended.pid))
    }
}

/// A refusal, with the client's message if there is one.
pub(super) fn refused(what: &str, message: Option<&str>) -> Reply {
    Reply::Refused { message: with_words(what, message) }
}

/// Adds the client's message, if there is one.
fn with_words(what: &str, message: Option<&str>) -> String {
    match message {
        Some(words) => format!("{what}: {words}"),
        None => what.to_string(),
    }
}
