//! A client with its reference picture and a cache of judgments.
//!
//! No file is given to a client twice, except to confirm a result.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tiff_harness::Picture;

use super::executor::{ClientExecutor, ClientRun};
use crate::oracle::Expectation;
use crate::records::{FileKey, Judgment};
use clients::digest;
use clients::{Client, Edges, Process, Reply};
use equivalents::subject::Subject;

/// A judgment that may come from the cache.
#[derive(Debug, Clone)]
pub struct CachedJudgment {
    /// The judgment.
    pub judgment: Judgment,
    /// The duration of the run; `None` if the judgment was in the cache.
    pub took: Option<Duration>,
    /// The edges that the run reached; `None` if the client published none, or if the judgment was in the cache.
    pub edges: Option<Edges>,
}

/// A run of the client, judged.
#[derive(Debug, Clone)]
pub struct JudgedRun {
    /// The judgment of the reply.
    pub judgment: Judgment,
    /// The reply.
    pub reply: Reply,
    /// The duration of the run.
    pub took: Duration,
    /// The edges that it reached, if the client published them.
    pub edges: Option<Edges>,
}

/// A cache entry: empty while the first run on its file is under way.
type Slot = Arc<Mutex<Option<Judgment>>>;

/// One client, the pictures that it is expected to show, and the judgments of its runs so far.
pub struct ClientSession<'a> {
    /// The client.
    pub client: &'a dyn Client,
    /// The pictures that it is expected to show.
    pub expectation: Expectation<'a>,
    executor: &'a ClientExecutor<'a>,
    cache: Mutex<HashMap<FileKey, Slot>>,
}

impl<'a> ClientSession<'a> {
    /// Returns true if conventions of readers count as faults.
    pub fn is_strict(&self) -> bool {
        self.executor.is_strict()
    }

    /// A session with an empty cache.
    pub fn new(executor: &'a ClientExecutor<'a>, expectation: Expectation<'a>) -> Self {
        Self { client: executor.client, expectation, executor, cache: Mutex::default() }
    }

    /// A session on files of the picture `canonical`, with an empty cache. Files for which the
    /// client's contract determines nothing are compared with `own`.
    pub fn on_picture(
        executor: &'a ClientExecutor<'a>,
        canonical: &'a Picture,
        own: &'a Picture,
    ) -> Self {
        let contract = executor.contract();
        Self::new(executor, Expectation::own(own).with_truth(contract, canonical))
    }

    /// A session on files of `subject`, with an empty cache. Files for which the client's contract
    /// determines nothing, or whose canonical value is no picture, are compared with `own`.
    pub fn on_subject(
        executor: &'a ClientExecutor<'a>,
        subject: &'a dyn Subject,
        own: &'a Picture,
    ) -> Self {
        match subject.colors() {
            Some(canonical) => Self::on_picture(executor, canonical, own),
            None => Self::new(executor, Expectation::own(own)),
        }
    }

    /// A session of the same client on files of the picture `canonical`, with an empty cache. Files
    /// for which its contract determines nothing are compared with `own`.
    pub fn of_picture<'b>(&self, canonical: &'b Picture, own: &'b Picture) -> ClientSession<'b>
    where
        'a: 'b,
    {
        ClientSession::on_picture(self.executor, canonical, own)
    }

    /// Enters `file` into the cache as one of which the client shows the reference.
    pub fn assume_same(&self, file: &[u8]) {
        *locked(&self.slot(file)) = Some(Judgment::same());
    }

    /// Returns the judgment of `file` from the cache, or else runs the client. `None` if the user
    /// may have interrupted that run.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn judge(&self, file: &[u8]) -> io::Result<Option<CachedJudgment>> {
        let slot = self.slot(file);
        // Other threads that need the same file wait here.
        let mut cached = locked(&slot);
        if let Some(judgment) = &*cached {
            let judgment = judgment.clone();
            return Ok(Some(CachedJudgment { judgment, took: None, edges: None }));
        }
        let Some(JudgedRun { judgment, took, edges, .. }) = self.run_in(Process::Any, file)? else {
            return Ok(None);
        };
        *cached = Some(judgment.clone());
        Ok(Some(CachedJudgment { judgment, took: Some(took), edges }))
    }

    /// Runs the client on `file` in a process that has read nothing before, whatever the cache
    /// has. `None` if the user may have interrupted the run.
    ///
    /// # Errors
    ///
    /// As [`Client::run_fresh`].
    pub fn run_fresh(&self, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        self.run_in(Process::Fresh, file)
    }

    /// Runs the client on `file` in any process, whatever the cache has. `None` if the user may
    /// have interrupted the run.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn run(&self, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        self.run_in(Process::Any, file)
    }

    fn run_in(&self, process: Process, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        let ClientRun { reply, took, edges, worker, interrupted } =
            self.executor.run(file, process)?;
        let judgment = Judgment { worker, ..Judgment::of(&self.expectation.of(file), &reply) };
        let doubtful = interrupted && judgment.outcome.is_difference();
        Ok((!doubtful).then_some(JudgedRun { judgment, reply, took, edges }))
    }

    fn slot(&self, file: &[u8]) -> Slot {
        Arc::clone(locked(&self.cache).entry(digest::key(file)).or_default())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
