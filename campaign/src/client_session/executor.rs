//! Runs one client on files. Replies in the journal are not requested again.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::records::{FileKey, Log, RecordedReply};
use crate::runtime::{Budget, guarded};
use clients::contract::Contract;
use clients::digest;
use clients::{
    Client, Edges, ExtraDifference, ExtraRead, GlueFailure, Observed, Process, Reply, Spent,
};

/// A client, and the number of times that it was given each file.
pub struct ClientExecutor<'a> {
    /// The client.
    pub client: &'a dyn Client,
    log: &'a Log,
    budget: &'a Budget,
    attempts: Mutex<HashMap<FileKey, u32>>,
    failure: OnceLock<String>,
    /// The extra read that is wrong on the file that variants derive from: it says nothing of them.
    excluded: OnceLock<ExtraRead>,
    strict: Option<Contract>,
}

/// The result of running a client on a file.
#[derive(Debug, Clone)]
pub struct ClientRun {
    /// The reply.
    pub reply: Reply,
    /// The duration of the run, now or when the journal recorded it.
    pub took: Duration,
    /// The processor time and the memory that it took, if they were measured.
    pub spent: Option<Spent>,
    /// The first of its extra reads that is wrong.
    pub extra: Option<ExtraDifference>,
    /// The edges that the run reached, if the client published them.
    pub edges: Option<Edges>,
    /// The worker of a fleet that ran it; `None` if it ran here.
    pub worker: Option<Arc<str>>,
    /// True if the user requested a stop during the run. The same Ctrl-C may have hit the client, so the reply is not
    /// evidence, and the journal does not keep it.
    pub interrupted: bool,
}

impl From<RecordedReply> for ClientRun {
    fn from(recorded: RecordedReply) -> Self {
        let RecordedReply { reply, took, spent, extra, edges, worker } = recorded;
        Self { reply, took, spent, extra, edges, worker, interrupted: false }
    }
}

impl<'a> ClientExecutor<'a> {
    /// An executor for a client that has not been given any file yet.
    pub fn new(client: &'a dyn Client, log: &'a Log, budget: &'a Budget) -> Self {
        Self {
            client,
            log,
            budget,
            attempts: Mutex::default(),
            failure: OnceLock::new(),
            excluded: OnceLock::new(),
            strict: None,
        }
    }

    /// Counts conventions of readers as faults if `strict` is true.
    pub fn with_strict(mut self, strict: bool) -> Self {
        let known = self.client.contract().cloned().unwrap_or_default();
        // If the meaning of samples is unknown, the client is compared with itself.
        self.strict = strict.then_some(Contract { unspecified: None, ..known });
        self
    }

    /// Returns true if conventions of readers count as faults.
    pub fn is_strict(&self) -> bool {
        self.strict.is_some()
    }

    /// Returns the conventions that the client may follow, if they are known.
    pub fn contract(&self) -> Option<&Contract> {
        let known = self.client.contract()?;
        Some(self.strict.as_ref().unwrap_or(known))
    }

    /// Runs the client on `file`, or takes the reply from the journal. A panic becomes an error.
    ///
    /// # Errors
    ///
    /// The errors of [`Client::observe`]. If the reply cannot be kept, [`Log::broken`] also holds.
    pub fn run(&self, file: &[u8], process: Process) -> io::Result<ClientRun> {
        let key = digest::key(file);
        let attempt = {
            let mut attempts = self.attempts();
            let attempts = attempts.entry(key).or_default();
            *attempts += 1;
            *attempts - 1
        };
        let run = self.attempt(file, process, &key, attempt).map(|run| {
            let extra = run.extra.filter(|extra| self.excluded.get() != Some(&extra.read));
            ClientRun { extra, ..run }
        });
        if run.as_ref().map_or(true, |run| run.interrupted) {
            // The attempt has no reply, so it does not count.
            self.attempts().entry(key).and_modify(|attempts| *attempts -= 1);
        }
        if let Err(error) = &run
            && GlueFailure::in_error(error).is_none()
        {
            self.failure.get_or_init(|| error.to_string());
        }
        run
    }

    /// From here on, an extra read that is wrong on the file that variants derive from is no difference.
    pub fn exclude(&self, extra: Option<&ExtraDifference>) {
        if let Some(extra) = extra {
            self.excluded.get_or_init(|| extra.read);
        }
    }

    /// Returns the first failure on our side that kept the client from reading a file, such as a full
    /// disk. What the client showed about that time proves nothing.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    fn attempt(
        &self,
        file: &[u8],
        process: Process,
        key: &FileKey,
        attempt: u32,
    ) -> io::Result<ClientRun> {
        let name = self.client.name();
        if let Some(recorded) = self.log.recall(name, key, attempt)? {
            return Ok(recorded.into());
        }
        let (requests, begun) = (self.budget.stop_requests(), Instant::now());
        let Observed { reply, took, spent, extra, edges, worker } =
            guarded(|| self.client.observe(file, process))
                .unwrap_or_else(|panic| Err(io::Error::other(panic)))?;
        let took = took.unwrap_or_else(|| begun.elapsed());
        // The progress of an interrupted run depends on the machine.
        let ended = matches!(reply, Reply::Hang | Reply::Resource { .. });
        let edges = edges.filter(|_| !ended);
        let interrupted = self.budget.stop_requests() != requests;
        if interrupted {
            return Ok(ClientRun { reply, took, spent, extra, edges, worker, interrupted });
        }
        let recorded = RecordedReply { reply, took, spent, extra, edges, worker };
        self.log.keep(name, key, attempt, &recorded)?;
        Ok(recorded.into())
    }

    fn attempts(&self) -> MutexGuard<'_, HashMap<FileKey, u32>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
