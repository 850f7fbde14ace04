//! The sink of a campaign's records, and of its replies if there is a journal.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::journal::{FileKey, Journal, PriorWork, RecordedReply};
use super::record::Record;

/// Writes records, each flushed at once. With a [`Journal`] it also keeps the clients' replies.
pub struct Log {
    sink: Mutex<Sink>,
    journal: Option<Box<dyn Journal>>,
}

struct Sink {
    out: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl Log {
    /// A log that writes to `out`.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Self { sink: Mutex::new(Sink { out: Box::new(out), error: None }), journal: None }
    }

    /// Adds a journal, which receives everything that is logged and provides earlier replies.
    #[must_use]
    pub fn with_journal(self, journal: impl Journal + 'static) -> Self {
        Self { journal: Some(Box::new(journal)), ..self }
    }

    /// Returns the work of earlier processes, according to the journal.
    pub fn prior_work(&self) -> PriorWork {
        self.journal.as_ref().map(|journal| journal.prior_work()).unwrap_or_default()
    }

    /// Calls [`Journal::recall`]. After an error nothing more is written.
    ///
    /// # Errors
    ///
    /// As [`Journal::recall`].
    pub fn recall(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
    ) -> io::Result<Option<RecordedReply>> {
        let Some(journal) = &self.journal else { return Ok(None) };
        journal.recall(client, file, attempt).map_err(|error| self.break_off(error))
    }

    /// Calls [`Journal::keep`]. After an error nothing more is written.
    ///
    /// # Errors
    ///
    /// As [`Journal::keep`].
    pub fn keep(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
        reply: &RecordedReply,
    ) -> io::Result<()> {
        let Some(journal) = &self.journal else { return Ok(()) };
        journal.keep(client, file, attempt, reply).map_err(|error| self.break_off(error))
    }

    /// Stores `error` unless there is one already, and returns a copy of it.
    fn break_off(&self, error: io::Error) -> io::Error {
        let copy = io::Error::new(error.kind(), error.to_string());
        self.sink().error.get_or_insert(error);
        copy
    }

    /// Writes a line. After the first error nothing is written; see [`Log::error`].
    pub fn write(&self, record: &Record) {
        let mut line = record.line();
        line.push('\n');
        let mut sink = self.sink();
        if sink.error.is_none() {
            let written = sink.out.write_all(line.as_bytes()).and_then(|()| sink.out.flush());
            sink.error = written.err();
        }
        if let (Some(journal), None) = (&self.journal, &sink.error) {
            journal.note(record);
        }
    }

    /// Takes the first write error; a second call returns `None`.
    pub fn error(&self) -> Option<io::Error> {
        self.sink().error.take()
    }

    /// Returns true if nothing can be written any more.
    pub fn broken(&self) -> bool {
        self.sink().error.is_some()
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
