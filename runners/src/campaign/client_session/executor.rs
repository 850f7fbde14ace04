//! Giving files to one client: a reply that the journal knows is not asked for again.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::campaign::records::{FileKey, Kept, Log};
use crate::campaign::runtime::{Budget, guarded};
use crate::client::{Client, Reply};
use crate::digest;

/// A client, and how often it was given each file.
pub struct Asker<'a> {
    /// The client.
    pub client: &'a dyn Client,
    log: &'a Log,
    budget: &'a Budget,
    times: Mutex<HashMap<FileKey, u32>>,
}

/// Which process of a client gets a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// One that may have read others: [`Client::run`].
    Any,
    /// One that has read nothing before: [`Client::run_fresh`].
    Fresh,
}

/// What a client did with a file.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its reply.
    pub reply: Reply,
    /// How long that took, now or when it was first asked.
    pub took: Duration,
    /// Whether the user asked to end while it ran: what is stopped by the same Ctrl-C as we
    /// are tells nothing about the client. Such a reply is not kept.
    pub cut: bool,
}

impl<'a> Asker<'a> {
    /// Nothing was asked yet.
    pub fn new(client: &'a dyn Client, log: &'a Log, budget: &'a Budget) -> Self {
        Self { client, log, budget, times: Mutex::default() }
    }

    /// What the client does with `file` this time. A panic in it becomes an error.
    ///
    /// # Errors
    ///
    /// As [`Client::run`] and [`Client::run_fresh`]; or the reply cannot be kept, and then [`Log::broken`] holds.
    pub fn ask(&self, file: &[u8], process: Process) -> io::Result<Asked> {
        let key = digest::key(file);
        let attempt = {
            let mut times = self.times();
            let times = times.entry(key).or_default();
            *times += 1;
            *times - 1
        };
        let asked = self.attempt(file, process, &key, attempt);
        if asked.as_ref().map_or(true, |asked| asked.cut) {
            // It did not count.
            self.times().entry(key).and_modify(|times| *times -= 1);
        }
        asked
    }

    fn attempt(
        &self,
        file: &[u8],
        process: Process,
        key: &FileKey,
        attempt: u32,
    ) -> io::Result<Asked> {
        let name = self.client.name();
        if let Some(Kept { reply, took }) = self.log.recall(name, key, attempt)? {
            return Ok(Asked { reply, took, cut: false });
        }
        let (level, begun) = (self.budget.level(), Instant::now());
        let reply = guarded(|| match process {
            Process::Any => self.client.run(file),
            Process::Fresh => self.client.run_fresh(file),
        })
        .unwrap_or_else(|panic| Err(io::Error::other(panic)))?;
        let took = begun.elapsed();
        let cut = self.budget.level() != level;
        if cut {
            return Ok(Asked { reply, took, cut });
        }
        let kept = Kept { reply, took };
        self.log.keep(name, key, attempt, &kept)?;
        Ok(Asked { reply: kept.reply, took, cut })
    }

    fn times(&self) -> MutexGuard<'_, HashMap<FileKey, u32>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
