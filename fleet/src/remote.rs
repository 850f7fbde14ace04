//! Clients that run on other machines.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::dispatch::{Dispatch, Replied, Request};
use super::link::{Link, about};
use super::watch::Sources;
use super::wire::{ClientFacts, FileSource, Item, MOST_INLINE, to_text};
use clients::contract::Contract;
use clients::digest;
use clients::{Client, Facts, Observed, Process, ProgramFiles, Reply};

/// Files of at least this size in bytes, compressed and as text, go through the object store.
const LARGE: usize = 128 << 10;

/// The time between two attempts to store a file.
const PAUSE: Duration = Duration::from_millis(500);

/// The parts that all clients share: the connection to workers, and the sources of files.
#[derive(Debug, Clone)]
pub struct Way {
    /// The dispatch of the requested runs.
    pub dispatch: Arc<Dispatch>,
    /// The sources of files.
    pub sources: Arc<Sources>,
    /// The connection.
    pub link: Link,
    /// A handle to the threads that serve the connection.
    pub handle: Handle,
}

/// A client that runs on workers.
#[derive(Debug, Clone)]
pub struct RemoteClient {
    place: usize,
    facts: Arc<ClientFacts>,
    /// The extension of the names of its files.
    extension: String,
    way: Way,
}

impl RemoteClient {
    /// The client at position `place` among those of the night, for files with this `extension`.
    pub fn new(place: usize, facts: ClientFacts, extension: &str, way: Way) -> Self {
        Self { place, facts: Arc::new(facts), extension: extension.to_owned(), way }
    }

    /// Returns the facts about it, and the extension of its files.
    pub fn described(&self) -> (ClientFacts, String) {
        ((*self.facts).clone(), self.extension.clone())
    }

    fn run_elsewhere(&self, bytes: &[u8], process: Process) -> io::Result<Observed> {
        let source = self.way.sources.get(&digest::key(bytes));
        let (file, seed) = match source {
            Some(source) if smaller(&source.file, bytes) => {
                (source.file.clone(), Some(Arc::clone(&source.seed)))
            }
            _ => (self.way.sent(bytes)?, None),
        };
        let fresh = process == Process::Fresh;
        let item = Item { sha256: digest::hex(bytes), fresh, full: false, not_by: None, file };
        let request = Request { client: self.place, bytes, seed, item };
        let Replied { reply, took, worker } = self.way.dispatch.run(request)?;
        Ok(Observed {
            reply,
            took: Some(took),
            spent: None,
            extra: None,
            edges: None,
            worker: Some(worker),
        })
    }
}

/// Returns true if a source takes less than the file itself.
fn smaller(source: &FileSource, bytes: &[u8]) -> bool {
    match source {
        FileSource::Own { .. } => true,
        FileSource::Choices { choices, .. } => {
            serde_json::to_vec(choices).is_ok_and(|text| text.len() < bytes.len())
        }
        FileSource::Inline(_) | FileSource::Object => false,
    }
}

impl Way {
    /// Returns a file with its bytes, or puts it into the object store.
    fn sent(&self, bytes: &[u8]) -> io::Result<FileSource> {
        let text = (bytes.len() as u64 <= MOST_INLINE).then(|| to_text(bytes));
        if let Some(text) = text.filter(|text| text.len() < LARGE) {
            return Ok(FileSource::Inline(text));
        }
        self.put(&digest::hex(bytes), bytes)?;
        Ok(FileSource::Object)
    }

    /// Puts a file into the object store, and retries until it is there.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if it is not there when the night is over.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let bucket = self.link.names.files();
        loop {
            let once = async {
                tokio::select! {
                    put = self.link.put(&bucket, name, bytes) => put,
                    () = self.dispatch.over() => Err(about(name, &"the night is over")),
                }
            };
            match self.handle.block_on(once) {
                Ok(()) => return Ok(()),
                Err(error) if self.dispatch.is_over() => return Err(error),
                Err(error) => tracing::debug!("{error}; trying again"),
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Client for RemoteClient {
    fn name(&self) -> &str {
        &self.facts.name
    }

    fn version(&self) -> &str {
        &self.facts.version
    }

    fn summary(&self) -> &str {
        &self.facts.summary
    }

    fn command(&self) -> Option<String> {
        self.facts.command.clone()
    }

    fn program_files(&self) -> ProgramFiles {
        self.facts.files.clone()
    }

    fn formats(&self) -> Option<Vec<String>> {
        self.facts.formats.clone()
    }

    fn applies(&self) -> &[String] {
        &self.facts.applies
    }

    fn ignores(&self) -> &[String] {
        &self.facts.ignores
    }

    fn contract(&self) -> Option<&Contract> {
        self.facts.contract.as_ref()
    }

    fn facts(&self) -> Facts {
        self.facts.facts.clone()
    }

    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.observe(file, Process::Any)?.reply)
    }

    fn run_fresh(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.observe(file, Process::Fresh)?.reply)
    }

    fn observe(&self, file: &[u8], process: Process) -> io::Result<Observed> {
        self.run_elsewhere(file, process)
    }

    fn confinement(&self) -> Option<&str> {
        self.facts.confinement.as_deref()
    }
}
