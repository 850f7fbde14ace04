//! Stores replies and records of a run as they arrive.
//!
//! A thread that stores a reply waits until it is committed. Rows that other threads queue in the meantime join the
//! same transaction, so many threads cost hardly more than one. No thread waits for records; they are committed with
//! the next reply.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::journal_rows::{self, Insertion, StoredReply};
use super::pictures::Pictures;
use super::{ClientRecord, Store, StoreError, json, locked, word};
use campaign::oracle::{self, DifferenceKind};
use campaign::{FileKey, Journal, PriorWork, Record, RecordedReply, pack};
use clients::{Edges, Reply};

/// The maximum number of records that are queued without a reply.
const MOST_WAITING: usize = 512;

/// Stores the events of one run.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    run: i64,
    /// The clients' rows, by name.
    clients: HashMap<String, i64>,
    /// The number of replies stored by earlier processes.
    replies: usize,
    prior_work: PriorWork,
    begun: Instant,
    waiting: Mutex<Waiting>,
    /// The ticket of the last committed row, or the error after which nothing is written any more.
    done: Mutex<Result<u64, String>>,
    pictures: Pictures,
}

#[derive(Debug, Default)]
struct Waiting {
    entries: Vec<Insertion>,
    ticket: u64,
}

impl Recorder {
    /// Creates the recorder of the run in this row, which has these clients.
    pub(super) fn new(
        store: &Store,
        run: i64,
        clients: &[ClientRecord],
    ) -> Result<Self, StoreError> {
        let inner = store.with(|conn| {
            let rows = clients.iter().map(|client| Ok((client.name.clone(), client.row(conn)?)));
            let clients: HashMap<String, i64> = rows.collect::<Result<_, StoreError>>()?;
            let count = "SELECT count(*) FROM reply WHERE run = ? AND client = ?";
            let mut replies = 0;
            for client in clients.values() {
                replies += conn.query_row(count, [run, *client], |row| row.get::<_, i64>(0))?;
            }
            Ok(Inner {
                store: store.clone(),
                run,
                clients,
                replies: usize::try_from(replies).unwrap_or(0),
                prior_work: prior_work(conn, run)?,
                begun: Instant::now(),
                waiting: Mutex::default(),
                done: Mutex::new(Ok(0)),
                pictures: Pictures::of(conn, run)?,
            })
        })?;
        Ok(Self(Arc::new(inner)))
    }

    /// The number of replies stored by earlier processes.
    pub fn replies(&self) -> usize {
        self.0.replies
    }

    /// The row of a client.
    pub(super) fn client(&self, name: &str) -> Option<i64> {
        self.0.clients.get(name).copied()
    }

    /// The rows of all clients.
    pub(super) fn clients(&self) -> impl Iterator<Item = i64> {
        self.0.clients.values().copied()
    }

    fn recalled(
        &self,
        client: i64,
        file: &FileKey,
        attempt: u32,
    ) -> Result<Option<RecordedReply>, StoreError> {
        let Inner { store, run, pictures, .. } = &*self.0;
        let found = store.with(|conn| journal_rows::find(conn, *run, client, file, attempt))?;
        let Some(stored) = found else {
            return Ok(None);
        };
        let StoredReply { kind, picture, message, ms, edges, worker, spent, extra } = stored;
        let edges = edges.map(|packed| pack::unpack(&packed)).transpose();
        let edges = edges.map_err(|_| StoreError::Damaged("the edges of a reply".to_owned()));
        let edges = edges.map_err(|error| store.about(error))?;
        let reply = match (&*kind, picture) {
            ("picture", Some(digest)) => {
                let picture = pictures.get(store, *run, &digest);
                Reply::Picture(picture.map_err(|error| store.about(error))?)
            }
            ("refused", _) => Reply::Refused { message },
            ("empty", _) => Reply::Empty { message },
            ("crash", _) => Reply::Crash { message },
            ("hang", _) => Reply::Hang,
            ("resource", _) => Reply::Resource { message },
            _ => return Err(store.about(StoreError::Damaged(format!("a reply of kind {kind:?}")))),
        };
        let edges = edges.map(|map| Edges::from_map(&map));
        let (took, worker) = (Duration::from_millis(ms), worker.map(Into::into));
        Ok(Some(RecordedReply { reply, took, spent, extra, edges, worker }))
    }

    /// Commits everything that is queued.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn flush(&self) -> Result<(), StoreError> {
        let ticket = locked(&self.0.waiting).ticket;
        self.0.commit(ticket).map_err(StoreError::Io)
    }
}

/// Reads the progress of the run in earlier processes.
fn prior_work(conn: &Connection, run: i64) -> Result<PriorWork, StoreError> {
    let (started, spent): (String, i64) =
        conn.query_row("SELECT started, spent_ms FROM run WHERE id = ?", [run], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let last = "SELECT coalesce(max(variant), 0) FROM variant WHERE run = ?";
    let reached: i64 = conn.query_row(last, [run], |row| row.get(0))?;
    Ok(PriorWork {
        started: humantime::parse_rfc3339(&started).ok(),
        spent: Duration::from_millis(spent.unsigned_abs()),
        reached: reached.unsigned_abs(),
    })
}

impl Inner {
    /// Queues `entries`; returns the ticket of the last one and the length of the queue.
    fn queue(&self, entries: impl IntoIterator<Item = Insertion>) -> (u64, usize) {
        let mut waiting = locked(&self.waiting);
        for entry in entries {
            waiting.entries.push(entry);
            waiting.ticket += 1;
        }
        (waiting.ticket, waiting.entries.len())
    }

    /// Ensures that everything up to `ticket` is committed.
    fn commit(&self, ticket: u64) -> io::Result<()> {
        let mut done = locked(&self.done);
        match &*done {
            Err(why) => return Err(io::Error::other(why.clone())),
            Ok(last) if *last >= ticket => return Ok(()),
            Ok(_) => {}
        }
        let (entries, last) = {
            let mut waiting = locked(&self.waiting);
            (std::mem::take(&mut waiting.entries), waiting.ticket)
        };
        let spent = self.prior_work.spent + self.begun.elapsed();
        let written = self.store.with(|conn| journal_rows::write(conn, self.run, &entries, spent));
        *done = written.map(|()| last).map_err(|error| error.to_string());
        done.as_ref().map(|_| ()).map_err(|why| io::Error::other(why.clone()))
    }
}

impl Journal for Recorder {
    fn recall(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
    ) -> io::Result<Option<RecordedReply>> {
        let Some(client) = self.client(client).filter(|_| self.0.replies > 0) else {
            return Ok(None);
        };
        self.recalled(client, file, attempt).map_err(io::Error::other)
    }

    fn keep(
        &self,
        client: &str,
        file: &FileKey,
        attempt: u32,
        kept: &RecordedReply,
    ) -> io::Result<()> {
        let Some(client) = self.client(client) else { return Ok(()) };
        let (digest, picture) = match &kept.reply {
            Reply::Picture(picture) => {
                let (digest, entry) = self.0.pictures.entry(picture);
                (Some(digest), entry)
            }
            _ => (None, None),
        };
        let new = picture.is_some();
        let reply = Insertion::Reply {
            client,
            file: *file,
            attempt,
            kind: journal_rows::kind(&kept.reply),
            picture: digest.clone(),
            message: oracle::message(&kept.reply).to_owned(),
            ms: kept.took.as_millis() as i64,
            edges: kept.edges.as_ref().map(|edges| pack::pack(&edges.to_map())),
            worker: kept.worker.clone(),
            spent: kept.spent,
            extra: kept.extra.clone(),
        };
        let (ticket, _) = self.0.queue(picture.into_iter().chain([reply]));
        if let (Some(digest), true) = (digest, new) {
            self.0.pictures.queued(digest);
        }
        self.0.commit(ticket)
    }

    fn note(&self, record: &Record) {
        let entry = match record {
            Record::Variant { variant, vary, class, bytes, choices } => Insertion::Variant {
                variant: *variant,
                vary: vary.clone(),
                class: word(class),
                bytes: *bytes,
                choices: pack::pack(json(choices).as_bytes()),
            },
            Record::Result {
                variant, client, outcome, difference, picture, message, ms, ..
            } => {
                let Some(client) = self.client(client) else { return };
                Insertion::Outcome {
                    variant: *variant,
                    client,
                    outcome: outcome.word(),
                    difference: difference.map_or("", DifferenceKind::word),
                    picture: picture.clone(),
                    message: message.clone(),
                    ms: *ms,
                }
            }
            _ => return,
        };
        let (ticket, waiting) = self.0.queue([entry]);
        if waiting >= MOST_WAITING {
            // An error is reported with the next reply, or at the end.
            let _ = self.0.commit(ticket);
        }
    }

    fn prior_work(&self) -> PriorWork {
        self.0.prior_work
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
