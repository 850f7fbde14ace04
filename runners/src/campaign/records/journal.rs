//! What outlives a campaign's process: the seam to the [store](crate::store).
//!
//! A campaign is a function of its seed, its settings and the clients' replies. With every
//! reply in a journal, a campaign that was killed walks the same way again, and takes from
//! the journal what it asked before.

use std::io;
use std::time::{Duration, SystemTime};

use super::record::Record;
use crate::client::Reply;

/// The SHA-256 of a file.
pub type FileKey = crate::digest::Key;

/// A reply that is known from before.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// What the client did.
    pub reply: Reply,
    /// How long that took.
    pub took: Duration,
}

/// The part of a run that was done by processes before this one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earlier {
    /// When the first of them began.
    pub started: Option<SystemTime>,
    /// How long they worked altogether.
    pub spent: Duration,
    /// The index of the last variant that they gave to clients.
    pub reached: u64,
}

/// Keeps replies and records. All threads use it at once.
pub trait Journal: Send + Sync {
    /// What the client of this name did when it was given the file for the time before
    /// which it had got it `attempt` times; `None` if that is not known.
    ///
    /// # Errors
    ///
    /// One line: what cannot be read, and what to do.
    fn recall(&self, client: &str, file: &FileKey, attempt: u32) -> io::Result<Option<Kept>>;

    /// Keeps such a reply. Once this returns, the reply outlives the process.
    ///
    /// # Errors
    ///
    /// One line: what cannot be written, and what to do.
    fn keep(&self, client: &str, file: &FileKey, attempt: u32, kept: &Kept) -> io::Result<()>;

    /// Keeps a record, not necessarily at once: with the replies it can be made again.
    fn note(&self, record: &Record);

    /// What was done before.
    fn earlier(&self) -> Earlier;
}
