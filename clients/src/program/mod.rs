//! Client programs: run as their descriptions say, each in a scratch folder, within
//! [limits](super::description::Limits) and a [sandbox](super::sandbox).
//!
//! `HOME` and `TMPDIR` are the scratch folder, which is also the current folder and is removed
//! afterwards; the environment is minimal, the locale C.UTF-8; standard input is empty.

mod classify;
mod command;
mod context;
mod viewer;
pub mod worker;

use std::io;
use std::sync::{Arc, OnceLock};

use super::description::{Description, Facts, Kind, ProgramFiles};
use super::process::{self, Scratch};
use super::sandbox::Sandbox;
use super::{Client, Observed, Process, Reply, executable, extra, glue, tools};
use crate::contract::Contract;
use crate::extra::{Answer, ExtraCommand, ExtraReader, Request};
use context::ProgramContext;
use viewer::ViewerDriver;
use worker::Pool;

/// A client program.
pub struct CommandClient {
    context: Arc<ProgramContext>,
    version: OnceLock<Result<String, String>>,
    files: OnceLock<ProgramFiles>,
    ignores: Vec<String>,
    workers: Pool,
    viewer: ViewerDriver,
    /// Keeps the folder of the shipped glue alive.
    glue: Option<Arc<Scratch>>,
}

impl CommandClient {
    /// Creates the client of this description, in the best available sandbox.
    pub fn new(description: Description) -> Self {
        Self::within(description, Sandbox::best())
    }

    /// Creates the client of this description, in this sandbox.
    pub fn within(description: Description, sandbox: Arc<Sandbox>) -> Self {
        let ignores = description.ignores_of();
        let context = Arc::new(ProgramContext { description, sandbox });
        let (workers, viewer) = (Pool::default(), ViewerDriver::default());
        let (version, files) = (OnceLock::new(), OnceLock::new());
        Self { context, version, files, ignores, workers, viewer, glue: None }
    }

    /// Keeps a folder that the description needs until the client is dropped.
    pub(super) fn keeping(self, glue: Arc<Scratch>) -> Self {
        Self { glue: Some(glue), ..self }
    }

    /// Its description.
    pub fn description(&self) -> &Description {
        &self.context.description
    }

    /// Returns true if its description says that it reads files with this extension.
    pub fn reads(&self, extension: &str) -> bool {
        let formats = &self.description().formats;
        formats.is_empty() || formats.iter().any(|format| format == extension)
    }

    /// The version, or the reason why it is unknown.
    fn asked(&self) -> &Result<String, String> {
        self.version.get_or_init(|| match &self.description().version {
            Some(version) => self.context.ask_version(version),
            None => Ok(String::new()),
        })
    }

    /// Returns a hint about the sandbox, if the client fails with this message and its sandbox may be the reason: the
    /// message, or the script that is run, names a hidden file.
    pub(super) fn hint(&self, message: &str) -> Option<String> {
        let sandbox = &self.context.sandbox;
        let programs = self.description().programs().filter_map(|argv| argv.program());
        let scripts =
            programs.filter_map(executable::find).filter_map(|path| executable::script(&path));
        sandbox.hint(message).or_else(|| scripts.into_iter().find_map(|text| sandbox.hint(&text)))
    }

    /// Returns the first of its requirements that is not installed.
    pub fn missing(&self) -> Option<String> {
        let description = self.description();
        let program = description
            .programs()
            .filter_map(|argv| argv.program())
            .chain(description.run.calls.iter().map(String::as_str))
            .chain((description.run.kind() == Kind::Viewer).then_some("Xvfb"))
            .find(|program| !executable::exists(program));
        program.map(str::to_string).or_else(|| tools::missing(description))
    }
}

impl Client for CommandClient {
    fn name(&self) -> &str {
        self.description().name.as_str()
    }

    fn version(&self) -> &str {
        // A client without a version can still be tested.
        self.asked().as_deref().unwrap_or_default()
    }

    fn version_unknown(&self) -> Option<&str> {
        self.asked().as_ref().err().map(String::as_str)
    }

    fn summary(&self) -> &str {
        &self.description().summary
    }

    fn command(&self) -> Option<String> {
        Some(self.description().command_line())
    }

    fn program_files(&self) -> ProgramFiles {
        self.files.get_or_init(|| self.description().program_files()).clone()
    }

    fn formats(&self) -> Option<Vec<String>> {
        Some(self.description().formats.clone()).filter(|formats| !formats.is_empty())
    }

    fn with_extension(&self, extension: &str) -> Option<Arc<dyn Client>> {
        let ProgramContext { description, sandbox } = &*self.context;
        let description = Description { extension: extension.to_owned(), ..description.clone() };
        let client = Self { glue: self.glue.clone(), ..Self::within(description, sandbox.clone()) };
        Some(Arc::new(client))
    }

    fn applies(&self) -> &[String] {
        &self.description().applies
    }

    fn ignores(&self) -> &[String] {
        &self.ignores
    }

    fn contract(&self) -> Option<&Contract> {
        self.description().contract.as_ref()
    }

    fn facts(&self) -> Facts {
        self.description().facts()
    }

    fn publishes_edges(&self) -> bool {
        self.description().run.edges
    }

    fn places(&self, edges: &[usize]) -> Vec<String> {
        worker::places(&self.context, edges).unwrap_or_default()
    }

    fn waits(&self) -> bool {
        self.description().run.kind() == Kind::Viewer
    }

    fn confinement(&self) -> Option<&str> {
        Some(self.context.sandbox.name())
    }

    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.picture_of(file, Process::Any)?.reply)
    }

    fn run_fresh(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.picture_of(file, Process::Fresh)?.reply)
    }

    fn observe(&self, file: &[u8], process: Process) -> io::Result<Observed> {
        let observed = self.picture_of(file, process)?;
        let extra = match &observed.reply {
            Reply::Picture(whole) => {
                let description = self.description();
                let reads = description.output.extra.keys().copied();
                let reads = reads.filter(|read| read.is_of(&description.extension));
                let reader = InProcess { client: self, process };
                extra::first_difference(&reader, reads, file, whole)?
            }
            _ => None,
        };
        Ok(Observed { extra, ..observed })
    }

    fn run_patiently(&self, file: &[u8], times: u32) -> io::Result<Reply> {
        let ProgramContext { description, sandbox } = &*self.context;
        let mut patient = description.clone();
        patient.limits.time_s = patient.limits.time_s.saturating_mul(times);
        Self::within(patient, sandbox.clone()).run_fresh(file)
    }
}

/// A client that does extra reads in processes of this kind.
struct InProcess<'a> {
    client: &'a CommandClient,
    process: Process,
}

impl ExtraReader for InProcess<'_> {
    fn whole(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.client.picture_of(file, self.process)?.reply)
    }

    fn extra(&self, request: Request, file: &[u8]) -> io::Result<Answer> {
        let context = &self.client.context;
        let command = context.description.output.extra.get(&request.read);
        let answer = match (command.and_then(ExtraCommand::argv), self.process) {
            (Some(argv), _) => command::extra(context, file, request, argv),
            (None, Process::Fresh) => worker::extra_once(context, file, request),
            (None, Process::Any) => match self.client.workers.extra(context, file, request) {
                Ok(Some(answer)) => Ok(answer),
                // The worker may have died of this file or of an earlier one.
                Ok(None) => worker::extra_once(context, file, request),
                Err(error) => Err(error),
            },
        };
        match answer.map_err(process::with_remedy)? {
            Answer::Failed(reply) => Ok(Answer::Failed(glue::checked(reply)?)),
            answer => Ok(answer),
        }
    }
}

impl CommandClient {
    /// Reads the picture.
    fn picture_of(&self, file: &[u8], process: Process) -> io::Result<Observed> {
        let observed = self.observed(file, process).map_err(process::with_remedy)?;
        Ok(Observed { reply: glue::checked(observed.reply)?, ..observed })
    }

    /// Runs the client in the way of its kind.
    fn observed(&self, file: &[u8], process: Process) -> io::Result<Observed> {
        let run = &self.description().run;
        Ok(match (run.kind(), process) {
            (Kind::Viewer, _) => self.viewer.show(&self.context, file, process)?.into(),
            (Kind::Worker, Process::Any) => match self.workers.decode(&self.context, file)? {
                Some(observed) => observed,
                // The worker may have died of this file or of an earlier one.
                None => return self.observed(file, Process::Fresh),
            },
            (Kind::Worker, Process::Fresh) if run.command.is_none() => {
                worker::decode_once(&self.context, file)?
            }
            _ => command::run(&self.context, file)?,
        })
    }
}
