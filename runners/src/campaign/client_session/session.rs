//! A client at work: what it made of a file is remembered, so that no file is given to it
//! twice, except on purpose.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tiff_harness::Picture;

use super::executor::{Asked, Asker, Process};
use crate::campaign::records::{FileKey, Judged};
use crate::client::{Client, Reply};
use crate::digest;

/// What is known of a file.
#[derive(Debug, Clone)]
pub struct Seen {
    /// What the client made of it.
    pub judged: Judged,
    /// How long that took; `None` if it was known before.
    pub took: Option<Duration>,
}

/// What a client made of a file this time.
#[derive(Debug, Clone)]
pub struct Fresh {
    /// The same, judged.
    pub judged: Judged,
    /// The reply.
    pub reply: Reply,
    /// How long that took.
    pub took: Duration,
}

/// A file that is being looked at, or has been.
type Slot = Arc<Mutex<Option<Judged>>>;

/// One client, what it is held to, and what it did with files so far.
pub struct Bench<'a> {
    /// The client.
    pub client: &'a dyn Client,
    /// What it should show.
    pub reference: &'a Picture,
    asker: &'a Asker<'a>,
    known: Mutex<HashMap<FileKey, Slot>>,
}

impl<'a> Bench<'a> {
    /// Nothing is known yet.
    pub fn new(asker: &'a Asker<'a>, reference: &'a Picture) -> Self {
        Self { client: asker.client, reference, asker, known: Mutex::default() }
    }

    /// The same client, held to `reference`, of which nothing is known yet.
    pub fn against<'b>(&self, reference: &'b Picture) -> Bench<'b>
    where
        'a: 'b,
    {
        Bench::new(self.asker, reference)
    }

    /// The client is known to make of `file` what it should.
    pub fn trust(&self, file: &[u8]) {
        *locked(&self.slot(file)) = Some(Judged::same());
    }

    /// What the client makes of `file`: from memory, or else by a run. `None` if that run
    /// may have been cut short by the user.
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn judge(&self, file: &[u8]) -> io::Result<Option<Seen>> {
        let slot = self.slot(file);
        // Whoever needs the same file waits for it.
        let mut known = locked(&slot);
        if let Some(judged) = &*known {
            return Ok(Some(Seen { judged: judged.clone(), took: None }));
        }
        let Some(Fresh { judged, took, .. }) = self.give(file, Process::Any)? else {
            return Ok(None);
        };
        *known = Some(judged.clone());
        Ok(Some(Seen { judged, took: Some(took) }))
    }

    /// What the client makes of `file` this time, in a process that has read nothing before.
    /// `None` if the run may have been cut short by the user.
    ///
    /// # Errors
    ///
    /// As [`Client::run_fresh`].
    pub fn afresh(&self, file: &[u8]) -> io::Result<Option<Fresh>> {
        self.give(file, Process::Fresh)
    }

    /// What the client makes of `file` this time, in any process. `None` as for
    /// [`Bench::afresh`].
    ///
    /// # Errors
    ///
    /// As [`Client::run`].
    pub fn again(&self, file: &[u8]) -> io::Result<Option<Fresh>> {
        self.give(file, Process::Any)
    }

    fn give(&self, file: &[u8], process: Process) -> io::Result<Option<Fresh>> {
        let Asked { reply, took, cut } = self.asker.ask(file, process)?;
        let judged = Judged::of(self.reference, &reply);
        let interrupted = cut && judged.outcome.is_difference();
        Ok((!interrupted).then_some(Fresh { judged, reply, took }))
    }

    fn slot(&self, file: &[u8]) -> Slot {
        Arc::clone(locked(&self.known).entry(digest::key(file)).or_default())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
