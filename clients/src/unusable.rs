//! A requested client that cannot be used. It takes part in a run so that the results report it.

use std::io;
use std::sync::Arc;

use super::{Client, Facts, ProgramFiles, Reply};

/// Represents a client that does not work on this machine. It reads no file.
pub struct UnusableClient {
    name: String,
    /// Its description; `None` if there is none with this name.
    client: Option<Arc<dyn Client>>,
    why: String,
}

impl UnusableClient {
    /// Represents `client`; `why` is the reason, in one line.
    pub fn new(client: Arc<dyn Client>, why: String) -> Self {
        Self { name: client.name().to_owned(), client: Some(client), why }
    }

    /// Represents a client without a description; `why` is the reason, in one line.
    pub fn unknown(name: &str, why: String) -> Self {
        Self { name: name.to_owned(), client: None, why }
    }
}

impl Client for UnusableClient {
    fn name(&self) -> &str {
        &self.name
    }

    /// The version is not queried, because the command may not work either.
    fn version(&self) -> &str {
        ""
    }

    fn summary(&self) -> &str {
        self.client.as_ref().map_or("", |client| client.summary())
    }

    fn command(&self) -> Option<String> {
        self.client.as_ref()?.command()
    }

    fn program_files(&self) -> ProgramFiles {
        self.client.as_ref().map(|client| client.program_files()).unwrap_or_default()
    }

    fn facts(&self) -> Facts {
        self.client.as_ref().map(|client| client.facts()).unwrap_or_default()
    }

    fn confinement(&self) -> Option<&str> {
        self.client.as_ref()?.confinement()
    }

    fn run(&self, _: &[u8]) -> io::Result<Reply> {
        Err(io::Error::other(self.why.clone()))
    }
}
