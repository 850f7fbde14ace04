//! Where a campaign writes its records, and its replies if there is a journal.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use super::journal::{Earlier, FileKey, Journal, Kept};
use super::record::Record;

/// Where records go. Each is written through at once. With a [`Journal`], replies are kept,
/// too.
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

    /// The same, with all that is in `journal` and comes to it.
    #[must_use]
    pub fn with_journal(self, journal: impl Journal + 'static) -> Self {
        Self { journal: Some(Box::new(journal)), ..self }
    }

    /// What was done before, by the journal.
    pub fn earlier(&self) -> Earlier {
        self.journal.as_ref().map(|journal| journal.earlier()).unwrap_or_default()
    }

    /// [`Journal::recall`]; after an error nothing more is written.
    ///
    /// # Errors
    ///
    /// As [`Journal::recall`].
    pub fn recall(&self, client: &str, file: &FileKey, attempt: u32) -> io::Result<Option<Kept>> {
        let Some(journal) = &self.journal else { return Ok(None) };
        journal.recall(client, file, attempt).map_err(|error| self.break_off(error))
    }

    /// [`Journal::keep`]; after an error nothing more is written.
    ///
    /// # Errors
    ///
    /// As [`Journal::keep`].
    pub fn keep(&self, client: &str, file: &FileKey, attempt: u32, kept: &Kept) -> io::Result<()> {
        let Some(journal) = &self.journal else { return Ok(()) };
        journal.keep(client, file, attempt, kept).map_err(|error| self.break_off(error))
    }

    /// Keeps `error` as the first, and gives the like of it.
    fn break_off(&self, error: io::Error) -> io::Error {
        let same = io::Error::new(error.kind(), error.to_string());
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).error.get_or_insert(error);
        same
    }

    /// Writes a line. After the first error nothing is written; see [`Log::error`].
    pub fn write(&self, record: &Record) {
        let mut line = record.line();
        line.push('\n');
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.error.is_none() {
            let written = sink.out.write_all(line.as_bytes()).and_then(|()| sink.out.flush());
            sink.error = written.err();
        }
        if let (Some(journal), None) = (&self.journal, &sink.error) {
            journal.note(record);
        }
    }

    /// The first error in writing, once.
    pub fn error(&self) -> Option<io::Error> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).error.take()
    }

    /// Whether nothing can be written any more.
    pub fn broken(&self) -> bool {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).error.is_some()
    }
}
