//! The journal keeps data that outlives a campaign's process. It is the interface to the store, which is in another
//! crate.
//!
//! A campaign is a function of its seed, its settings and the clients' replies. If a journal keeps every reply, a
//! campaign that was killed repeats the same steps and reads earlier replies from the journal.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::record::Record;
use clients::{Edges, ExtraDifference, Reply, Spent};

/// The SHA-256 of a file.
pub type FileKey = clients::digest::Key;

/// A reply of a client, as a journal keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedReply {
    /// The reply.
    pub reply: Reply,
    /// The duration of the run.
    pub took: Duration,
    /// The processor time and the memory that the run took, if they were measured.
    pub spent: Option<Spent>,
    /// The first of its extra reads that is wrong.
    pub extra: Option<ExtraDifference>,
    /// The edges that the run reached, if the client published them.
    pub edges: Option<Edges>,
    /// The worker of a fleet that ran it; `None` if it ran here.
    pub worker: Option<Arc<str>>,
}

/// The part of a run that earlier processes have done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorWork {
    /// The time at which the first of these processes began.
    pub started: Option<SystemTime>,
    /// The total time for which these processes worked.
    pub spent: Duration,
    /// The index of the last variant that these processes gave to clients.
    pub reached: u64,
}

/// Keeps replies and records. All threads use it at once.
pub trait Journal: Send + Sync {
    /// Returns the reply of a client to a file; `None` if there is none. `attempt` is the number
    /// of times that the client had been given this file before.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: the part that cannot be read, and a remedy.
    fn recall(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
    ) -> io::Result<Option<RecordedReply>>;

    /// Keeps the reply of a client to a file. Once this returns, the reply outlives the process.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: the part that cannot be written, and a remedy.
    fn keep(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
        reply: &RecordedReply,
    ) -> io::Result<()>;

    /// Keeps a record, possibly later, because the replies suffice to reproduce it.
    fn note(&self, record: &Record);

    /// Returns the work of earlier processes.
    fn prior_work(&self) -> PriorWork;
}
