//! A client with its reference picture and a cache of judgments.
//!
//! No file is given to a client twice, except to confirm a result.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tiff_harness::Picture;

use super::executor::{ClientExecutor, ClientRun};
use crate::oracle::{Expectation, Outcome, Usual};
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

/// A cache entry, which is empty while the first run on its file is in progress.
type Slot = Arc<Mutex<Option<Judgment>>>;

/// One client, the pictures that it is expected to show, and the judgments of its runs so far.
pub struct ClientSession<'a> {
    /// The client.
    pub client: &'a dyn Client,
    /// The pictures that it is expected to show.
    pub expectation: Expectation<'a>,
    executor: &'a ClientExecutor<'a>,
    cache: Mutex<HashMap<FileKey, Slot>>,
    /// The usual time and memory, if it needs far more for some files.
    usual: OnceLock<Usual>,
}

impl<'a> ClientSession<'a> {
    /// Returns true if conventions of readers count as faults.
    pub fn is_strict(&self) -> bool {
        self.executor.is_strict()
    }

    /// Creates a session with an empty cache.
    pub fn new(executor: &'a ClientExecutor<'a>, expectation: Expectation<'a>) -> Self {
        Self {
            client: executor.client,
            expectation,
            executor,
            cache: Mutex::default(),
            usual: OnceLock::new(),
        }
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

    /// A session on files of `subject`, with an empty cache. Files for which the client's contract determines nothing,
    /// or whose canonical value is not a picture, are compared with `own`.
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

    /// Enters `file` into the cache as a file for which the client shows the reference.
    pub fn assume_same(&self, file: &[u8]) {
        *locked(&self.slot(file)) = Some(Judgment::same());
    }

    /// Returns the judgment of `file` from the cache, or runs the client. `None` if the user may have interrupted that
    /// run.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn judge(&self, file: &[u8]) -> io::Result<Option<CachedJudgment>> {
        let slot = self.slot(file);
        // Other threads that need the same file wait here.
        let mut cached = locked(&slot);
        if let Some(judgment) = cached.as_ref().filter(|judgment| self.is_known(judgment)) {
            let judgment = self.weighed(judgment.clone());
            return Ok(Some(CachedJudgment { judgment, took: None, edges: None }));
        }
        let process = if self.usual.get().is_some() { Process::Fresh } else { Process::Any };
        let Some(JudgedRun { judgment, took, edges, .. }) = self.run_in(process, file)? else {
            return Ok(None);
        };
        *cached = Some(judgment.clone());
        Ok(Some(CachedJudgment { judgment, took: Some(took), edges }))
    }

    /// After this call, files for which the client needs far more than `usual` are differences. If possible, each file
    /// is then read by a process that has read nothing before, so that leftovers of other files do not count.
    pub fn expect_usual(&self, usual: Usual) {
        self.usual.get_or_init(|| usual);
    }

    /// Starts to judge costs if the resources that the client used for a file, according to `judgment`, may be unusual.
    /// The usual amount is what the client uses for `equal`, a file of the same picture. Returns true if costs are
    /// judged from now on.
    ///
    /// # Errors
    ///
    /// As [`Client::run_fresh`].
    pub fn learn_usual(&self, judgment: &Judgment, equal: &[u8]) -> io::Result<bool> {
        if !judgment.clone().weighed(&Usual::NOTHING).outcome.is_cost()
            || self.usual.get().is_some()
        {
            return Ok(false);
        }
        let mut spent = Vec::new();
        for _ in 0..Usual::FILES {
            let run = self.run_fresh(equal)?;
            spent.extend(run.and_then(|run| run.judgment.spent).filter(|spent| spent.alone));
        }
        Ok(Usual::of(&spent).is_some_and(|usual| self.usual.set(usual).is_ok()))
    }

    /// Returns true if a judgment from the cache needs no further run, because its cost was measured or does not count.
    fn is_known(&self, judgment: &Judgment) -> bool {
        self.usual.get().is_none() || judgment.outcome != Outcome::Same || judgment.is_weighable()
    }

    fn weighed(&self, judgment: Judgment) -> Judgment {
        match self.usual.get() {
            Some(usual) => judgment.weighed(usual),
            None => judgment,
        }
    }

    /// Runs the client on `file` in a process that has read nothing before, regardless of the cache. `None` if the user
    /// may have interrupted the run.
    ///
    /// # Errors
    ///
    /// As [`Client::run_fresh`].
    pub fn run_fresh(&self, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        self.run_in(Process::Fresh, file)
    }

    /// Runs the client on `file` in any process, regardless of the cache. `None` if the user may have interrupted the
    /// run.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn run(&self, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        self.run_in(Process::Any, file)
    }

    fn run_in(&self, process: Process, file: &[u8]) -> io::Result<Option<JudgedRun>> {
        let ClientRun { reply, took, spent, extra, edges, worker, interrupted } =
            self.executor.run(file, process)?;
        let judgment = Judgment::of(&self.expectation.of(file), &reply);
        let judgment = self.weighed(Judgment { worker, spent, ..judgment }.with_extra(extra));
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
