//! Clients that are programs: driven as their descriptions say, each in a scratch folder, within
//! [limits](super::description::Limits) and a [sandbox](super::sandbox).
//!
//! `HOME` and `TMPDIR` are the scratch folder, which is the current folder too and is removed
//! afterwards; the environment is bare, the locale C.UTF-8; standard input is empty.

mod classify;
mod command;
mod setting;
mod viewer;
pub mod worker;

use std::io;
use std::sync::{Arc, OnceLock};

use super::description::{Description, Kind};
use super::sandbox::Sandbox;
use super::{Client, Reply, path, tools};
use setting::Setting;
use viewer::Viewing;
use worker::Pool;

/// A client that is a program.
pub struct CommandClient {
    setting: Arc<Setting>,
    version: OnceLock<String>,
    ignores: Vec<String>,
    workers: Pool,
    viewing: Viewing,
    /// Keeps the folder with the shipped glue alive.
    _glue: Option<Arc<tempfile::TempDir>>,
}

impl CommandClient {
    /// The client of this description, in the best sandbox that there is.
    pub fn new(description: Description) -> Self {
        Self::within(description, Sandbox::best())
    }

    /// The client of this description, in this sandbox.
    pub fn within(description: Description, sandbox: Arc<Sandbox>) -> Self {
        let ignores = description.ignores.iter().map(|i| i.what.clone()).collect();
        let setting = Arc::new(Setting { description, sandbox });
        let (workers, viewing) = (Pool::default(), Viewing::default());
        Self { setting, version: OnceLock::new(), ignores, workers, viewing, _glue: None }
    }

    /// Keeps a folder that the description needs until the client is dropped.
    pub(super) fn keeping(self, glue: Arc<tempfile::TempDir>) -> Self {
        Self { _glue: Some(glue), ..self }
    }

    /// Its description.
    pub fn description(&self) -> &Description {
        &self.setting.description
    }

    /// The first of what it needs that is not on this machine.
    pub fn missing(&self) -> Option<String> {
        let description = self.description();
        let program = description
            .run
            .programs()
            .filter_map(|argv| argv.program())
            .chain(description.run.calls.iter().map(String::as_str))
            .chain((description.run.kind() == Kind::Viewer).then_some("Xvfb"))
            .find(|program| !path::is_program(program));
        program.map(str::to_string).or_else(|| tools::missing(description))
    }
}

impl Client for CommandClient {
    fn name(&self) -> &str {
        self.description().name.as_str()
    }

    fn version(&self) -> &str {
        self.version.get_or_init(|| match &self.description().version {
            // A client that cannot say its version can still be tested.
            Some(version) => self.setting.ask_version(version).unwrap_or_default(),
            None => String::new(),
        })
    }

    fn summary(&self) -> &str {
        &self.description().summary
    }

    fn command(&self) -> Option<String> {
        Some(self.description().command_line())
    }

    fn applies(&self) -> &[String] {
        &self.description().applies
    }

    fn ignores(&self) -> &[String] {
        &self.ignores
    }

    fn confinement(&self) -> Option<&str> {
        Some(self.setting.sandbox.name())
    }

    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        match self.description().run.kind() {
            Kind::Worker => match self.workers.decode(&self.setting, file)? {
                Some(reply) => Ok(reply),
                // Its worker died: of this file, or of those before?
                None => self.run_fresh(file),
            },
            _ => self.run_fresh(file),
        }
    }

    fn run_fresh(&self, file: &[u8]) -> io::Result<Reply> {
        let run = &self.description().run;
        match run.kind() {
            Kind::Viewer => self.viewing.show(&self.setting, file),
            Kind::Worker if run.command.is_none() => worker::decode_once(&self.setting, file),
            _ => command::run(&self.setting, file),
        }
    }
}
