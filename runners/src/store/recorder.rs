//! A run's replies and records, as they come.
//!
//! A thread that keeps a reply waits until that is committed. What other threads queued in
//! the meantime goes into the same transaction, so that many threads cost hardly more than
//! one; records, which nobody waits for, go with the next reply.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::entry::{self, Entry, Row};
use super::pictures::Pictures;
use super::{ClientId, Store, StoreError, json, locked, word};
use crate::campaign::{Earlier, FileKey, Journal, Kept, Record, pack};
use crate::client::Reply;
use crate::oracle;

/// The most records that wait for a reply to go with.
const MOST_WAITING: usize = 512;

/// Keeps what happens in one run.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    run: i64,
    /// The clients' rows, by name.
    clients: HashMap<String, i64>,
    /// How many replies are known from before.
    replies: usize,
    earlier: Earlier,
    begun: Instant,
    waiting: Mutex<Waiting>,
    /// The ticket of the last entry that is committed; or why no more are.
    done: Mutex<Result<u64, String>>,
    pictures: Pictures,
}

#[derive(Debug, Default)]
struct Waiting {
    entries: Vec<Entry>,
    ticket: u64,
}

impl Recorder {
    /// For the run in this row, which has these clients.
    pub(super) fn new(store: &Store, run: i64, clients: &[ClientId]) -> Result<Self, StoreError> {
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
                earlier: earlier(conn, run)?,
                begun: Instant::now(),
                waiting: Mutex::default(),
                done: Mutex::new(Ok(0)),
                pictures: Pictures::of(conn, run)?,
            })
        })?;
        Ok(Self(Arc::new(inner)))
    }

    /// How many replies are known from before.
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
    ) -> Result<Option<Kept>, StoreError> {
        let Inner { store, run, pictures, .. } = &*self.0;
        let found = store.with(|conn| entry::find(conn, *run, client, file, attempt))?;
        let Some(Row { kind, picture, message, ms }) = found else { return Ok(None) };
        let reply = match (&*kind, picture) {
            ("picture", Some(digest)) => {
                let picture = pictures.get(store, *run, &digest);
                Reply::Picture(picture.map_err(|error| store.about(error))?)
            }
            ("refused", _) => Reply::Refused { message },
            ("crash", _) => Reply::Crash { message },
            ("hang", _) => Reply::Hang,
            ("resource", _) => Reply::Resource { message },
            _ => return Err(store.about(StoreError::Damaged(format!("a reply of kind {kind:?}")))),
        };
        Ok(Some(Kept { reply, took: Duration::from_millis(ms) }))
    }

    /// Writes all that waits.
    ///
    /// # Errors
    ///
    /// What the database says.
    pub fn flush(&self) -> Result<(), StoreError> {
        let ticket = locked(&self.0.waiting).ticket;
        self.0.commit(ticket).map_err(StoreError::Io)
    }
}

/// What was done of a run before.
fn earlier(conn: &Connection, run: i64) -> Result<Earlier, StoreError> {
    let (started, spent): (String, i64) =
        conn.query_row("SELECT started, spent_ms FROM run WHERE id = ?", [run], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let last = "SELECT coalesce(max(variant), 0) FROM variant WHERE run = ?";
    let reached: i64 = conn.query_row(last, [run], |row| row.get(0))?;
    Ok(Earlier {
        started: humantime::parse_rfc3339(&started).ok(),
        spent: Duration::from_millis(spent.unsigned_abs()),
        reached: reached.unsigned_abs(),
    })
}

impl Inner {
    /// Queues `entries`; gives the ticket of the last.
    fn queue(&self, entries: impl IntoIterator<Item = Entry>) -> (u64, usize) {
        let mut waiting = locked(&self.waiting);
        for entry in entries {
            waiting.entries.push(entry);
            waiting.ticket += 1;
        }
        (waiting.ticket, waiting.entries.len())
    }

    /// Sees to it that all up to `ticket` is committed.
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
        let spent = self.earlier.spent + self.begun.elapsed();
        let written = self.store.with(|conn| entry::write(conn, self.run, &entries, spent));
        *done = written.map(|()| last).map_err(|error| error.to_string());
        done.as_ref().map(|_| ()).map_err(|why| io::Error::other(why.clone()))
    }
}

impl Journal for Recorder {
    fn recall(&self, client: &str, file: &FileKey, attempt: u32) -> io::Result<Option<Kept>> {
        let Some(client) = self.client(client).filter(|_| self.0.replies > 0) else {
            return Ok(None);
        };
        self.recalled(client, file, attempt).map_err(io::Error::other)
    }

    fn keep(&self, client: &str, file: &FileKey, attempt: u32, kept: &Kept) -> io::Result<()> {
        let Some(client) = self.client(client) else { return Ok(()) };
        let (digest, picture) = match &kept.reply {
            Reply::Picture(picture) => {
                let (digest, entry) = self.0.pictures.entry(picture);
                (Some(digest), entry)
            }
            _ => (None, None),
        };
        let new = picture.is_some();
        let reply = Entry::Reply {
            client,
            file: *file,
            attempt,
            kind: entry::kind(&kept.reply),
            picture: digest.clone(),
            message: oracle::message(&kept.reply).to_owned(),
            ms: kept.took.as_millis() as i64,
        };
        let (ticket, _) = self.0.queue(picture.into_iter().chain([reply]));
        if let (Some(digest), true) = (digest, new) {
            self.0.pictures.queued(digest);
        }
        self.0.commit(ticket)
    }

    fn note(&self, record: &Record) {
        let entry = match record {
            Record::Variant { variant, vary, class, bytes, choices } => Entry::Variant {
                variant: *variant,
                vary: vary.clone(),
                class: word(class),
                bytes: *bytes,
                choices: pack::pack(json(choices).as_bytes()),
            },
            Record::Result { variant, client, outcome, picture, message, ms, .. } => {
                let Some(client) = self.client(client) else { return };
                Entry::Outcome {
                    variant: *variant,
                    client,
                    outcome: outcome.word(),
                    picture: picture.clone(),
                    message: message.clone(),
                    ms: *ms,
                }
            }
            _ => return,
        };
        let (ticket, waiting) = self.0.queue([entry]);
        if waiting >= MOST_WAITING {
            // An error is told with the next reply, or at the end.
            let _ = self.0.commit(ticket);
        }
    }

    fn earlier(&self) -> Earlier {
        self.0.earlier
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{BatchKind, Begin, Begun, StoredRun};
    use super::*;

    fn open(store: &Store) -> (super::super::Batch, StoredRun) {
        let batch = store.begin(BatchKind::Fuzz, &json!(1), false).unwrap();
        let client = ClientId { name: "c".into(), version: String::new(), command: String::new() };
        let begun = batch.run(&Begin {
            place: 0,
            seed_file: "s".into(),
            seed_sha256: "0".into(),
            whole: json!(1),
            shard: crate::campaign::Shard::WHOLE,
            command: String::new(),
            clients: vec![client],
        });
        let Begun::Open(run) = begun.unwrap() else { panic!("it has no end") };
        (batch, run)
    }

    /// The `k`-th file, and what is done with it.
    fn file(k: u32) -> (FileKey, Kept) {
        let mut key = [7; 32];
        key[..4].copy_from_slice(&k.to_le_bytes());
        let message = format!("{k} {}", "no".repeat(400));
        (key, Kept { reply: Reply::Refused { message }, took: Duration::from_millis(k.into()) })
    }

    #[test]
    fn a_full_disk_ends_the_run_in_one_line_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let kept = {
            let store = Store::open(&path).unwrap();
            let (_batch, run) = open(&store);
            let recorder = run.recorder();
            // What SQLite says of a full disk, from so many pages on.
            store.lock().pragma_update(None, "max_page_count", 60).unwrap();
            let keep = |k: &u32| recorder.keep("c", &file(*k).0, 0, &file(*k).1);
            let error = (0..10_000).map(|k| keep(&k)).find_map(Result::err).unwrap();
            let line = error.to_string();
            assert!(line.contains("s.sqlite: the disk is full; make room"), "{line}");
            assert!(!line.contains('\n'));
            // Nothing is written after an error, even if there is room again.
            store.lock().pragma_update(None, "max_page_count", 100_000).unwrap();
            assert!(keep(&20_000).is_err() && run.recorder().flush().is_err());
            (0..10_000)
                .find(|k| {
                    recorder
                        .0
                        .store
                        .with(|conn| {
                            Ok(entry::find(conn, recorder.0.run, 1, &file(*k).0, 0)?.is_none())
                        })
                        .unwrap()
                })
                .unwrap()
        };
        assert!(kept > 10, "{kept}");
        let store = Store::open(&path).unwrap();
        let (_batch, run) = open(&store);
        let recorder = run.recorder();
        assert_eq!(recorder.replies(), kept as usize);
        for k in 0..kept {
            assert_eq!(recorder.recall("c", &file(k).0, 0).unwrap(), Some(file(k).1));
        }
        assert_eq!(recorder.recall("c", &file(kept).0, 0).unwrap(), None);
        recorder.keep("c", &file(kept).0, 0, &file(kept).1).unwrap();
    }

    #[test]
    fn threads_share_transactions_and_each_waits_for_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let store = Store::open(&path).unwrap();
        let (_batch, run) = open(&store);
        let recorder = run.recorder();
        // Another connection sees what is committed, and nothing else.
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (recorder, path) = (&recorder, &path);
                scope.spawn(move || {
                    let other = Connection::open(path).unwrap();
                    for k in (thread * 1000)..(thread * 1000 + 40) {
                        let (key, kept) = file(k);
                        recorder.keep("c", &key, 0, &kept).unwrap();
                        assert!(entry::find(&other, recorder.0.run, 1, &key, 0).unwrap().is_some());
                    }
                });
            }
        });
    }

    #[test]
    fn pictures_come_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let picture = |k: u16| tiff_harness::Picture::new(1, 1, vec![k, 2, 3, 4]);
        {
            let store = Store::open(&path).unwrap();
            let (_batch, run) = open(&store);
            for k in 0..40u16 {
                let reply = Reply::Picture(picture(k % 20));
                let kept = Kept { reply, took: Duration::ZERO };
                run.recorder().keep("c", &file(k.into()).0, 1, &kept).unwrap();
            }
        }
        let store = Store::open(&path).unwrap();
        let (_batch, run) = open(&store);
        for k in 0..40u16 {
            let kept = run.recorder().recall("c", &file(k.into()).0, 1).unwrap().unwrap();
            assert_eq!(kept.reply, Reply::Picture(picture(k % 20)));
        }
        let count = |table: &str| -> i64 {
            let sql = format!("SELECT count(*) FROM {table}");
            store.lock().query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!((count("reply"), count("picture")), (40, 20));
    }
}
