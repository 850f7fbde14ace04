//! A client that was asked for and cannot be used: it takes part in a run, so that results say so.

use std::io;
use std::sync::Arc;

use super::{Client, Facts, ProgramFiles, Reply};

/// Stands for a client that does not work on this machine. It reads no file.
pub struct UnusableClient {
    client: Arc<dyn Client>,
    why: String,
}

impl UnusableClient {
    /// Stands for `client`; `why` is the reason, in one line.
    pub fn new(client: Arc<dyn Client>, why: String) -> Self {
        Self { client, why }
    }
}

impl Client for UnusableClient {
    fn name(&self) -> &str {
        self.client.name()
    }

    /// It is not asked: the command may not work either.
    fn version(&self) -> &str {
        ""
    }

    fn summary(&self) -> &str {
        self.client.summary()
    }

    fn command(&self) -> Option<String> {
        self.client.command()
    }

    fn program_files(&self) -> ProgramFiles {
        self.client.program_files()
    }

    fn facts(&self) -> Facts {
        self.client.facts()
    }

    fn confinement(&self) -> Option<&str> {
        self.client.confinement()
    }

    fn run(&self, _: &[u8]) -> io::Result<Reply> {
        Err(io::Error::other(self.why.clone()))
    }
}
