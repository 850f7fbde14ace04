//! One seed of a batch, from its beginning to its end.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::batch::{Batch, digest};
use super::bucket::BucketKey;
use super::client_record::{self, ClientRecord};
use super::{Recorder, Store, StoreError, from_json, json, now, seal};
use crate::report;
use campaign::oracle::DifferenceKind;
use campaign::{Cause, Run, Shard, Slice, pack};

/// A run to begin or to resume.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The seed's index in its batch.
    pub place: usize,
    /// The seed file's name.
    pub seed_file: String,
    /// Its SHA-256, in hexadecimal.
    pub seed_sha256: String,
    /// Everything that identifies this run, except the shard.
    pub whole: serde_json::Value,
    /// The name of the format of its files; empty for TIFF.
    pub format: String,
    /// The shard.
    pub shard: Shard,
    /// The slice of the clients' variants.
    pub slice: Slice,
    /// The command line that repeats it.
    pub command: String,
    /// The clients of all shards.
    pub clients: Vec<ClientRecord>,
}

/// The stored state of a run.
#[derive(Debug)]
pub enum RunState {
    /// It was finished by an earlier process.
    Finished(Box<Run>),
    /// It is new or unfinished.
    Open(StoredRun),
}

/// A run in progress.
#[derive(Debug)]
pub struct StoredRun {
    store: Store,
    id: i64,
    recorder: Recorder,
    notes: Vec<String>,
}

impl Batch {
    /// Begins or resumes a run of this batch.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn run(&self, request: &RunRequest) -> Result<RunState, StoreError> {
        let store = &self.store;
        let Found { id, before, finished, notes } =
            store.with(|conn| find(conn, self.id, request))?;
        if let Some(run) = finished {
            return Ok(RunState::Finished(run));
        }
        let recorder = Recorder::new(store, id, &request.clients)?;
        let mut lines = Vec::new();
        if let Some(since) = before {
            let known = report::plural(recorder.replies(), "reply", "replies");
            lines.push(format!(
                "{}: resuming the run of {} with {known} stored (--fresh starts over)",
                request.seed_file,
                since.get(..16).unwrap_or(&since).replace('T', " ")
            ));
        }
        lines.extend(notes.into_iter().map(|note| format!("{}: {note}", request.seed_file)));
        Ok(RunState::Open(StoredRun { store: store.clone(), id, recorder, notes: lines }))
    }
}

/// The name of a part: `2/4`, or `2/4, slice 1/3`.
fn part_name(shard: Shard, slice: Slice) -> String {
    if slice.is_whole() { shard.to_string() } else { format!("{shard}, slice {slice}") }
}

struct Found {
    id: i64,
    /// The time at which the run began, if it existed before.
    before: Option<String>,
    /// Its result, if it is finished.
    finished: Option<Box<Run>>,
    /// Changes since it began.
    notes: Vec<String>,
}

/// Returns the row of the run; inserts it if it does not exist.
fn find(conn: &mut Connection, batch: i64, request: &RunRequest) -> Result<Found, StoreError> {
    let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    type Row = (i64, String, String, Option<Vec<u8>>, String);
    let known: Option<Row> = work
        .query_row(
            "SELECT id, state, clients, body, started FROM run WHERE batch = ? AND place = ?",
            params![batch, request.place as i64],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )
        .optional()?;
    let found = match known {
        Some((id, state, clients, Some(body), since)) if state == "finished" => {
            let run = open_body(&body)?;
            let mut clients: Vec<ClientRecord> = from_json(&clients)?;
            // This part of the run has only some of the clients.
            clients.retain(|client| run.clients.iter().any(|here| here.name == client.name));
            let notes = client_record::outdated(&clients, &request.clients);
            let finished = notes.is_empty().then(|| Box::new(run));
            if finished.is_none() {
                reopen(&work, id, request)?;
            }
            Found { id, before: finished.is_some().then_some(since), finished, notes }
        }
        Some((id, _, clients, _, since)) => {
            let clients: Vec<ClientRecord> = from_json(&clients)?;
            let set = "UPDATE run SET clients = ?, state = 'open' WHERE id = ?";
            work.execute(set, params![json(&request.clients), id])?;
            let results = |client: &ClientRecord| replies(&work, id, client);
            let notes = client_record::changes(&clients, &request.clients, results)?;
            Found { id, before: Some(since), finished: None, notes }
        }
        None => {
            work.execute(
                "INSERT INTO run (batch, place, whole, shard, seed_file, seed_sha256, repfuzz, \
                 command, clients, started, format, state) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')",
                params![
                    batch,
                    request.place as i64,
                    digest(&request.whole),
                    part_name(request.shard, request.slice),
                    request.seed_file,
                    request.seed_sha256,
                    env!("CARGO_PKG_VERSION"),
                    request.command,
                    json(&request.clients),
                    now(&work)?,
                    request.format,
                ],
            )?;
            let id = work.last_insert_rowid();
            Found { id, before: None, finished: None, notes: Vec::new() }
        }
    };
    work.commit()?;
    Ok(found)
}

/// Counts the replies of a client that a run keeps.
fn replies(conn: &Connection, run: i64, client: &ClientRecord) -> Result<usize, StoreError> {
    let count = "SELECT count(*) FROM reply WHERE run = ? AND client = ?";
    let count: i64 = conn.query_row(count, [run, client.row(conn)?], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Opens a finished run again without its results, which are not those of the clients of `request`.
fn reopen(conn: &Connection, run: i64, request: &RunRequest) -> Result<(), StoreError> {
    for table in ["cause", "outcome", "variant", "reply", "picture"] {
        conn.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
    }
    let set = "UPDATE run SET state = 'open', body = NULL, digest = NULL, spent_ms = 0, \
               clients = ?, started = ? WHERE id = ?";
    conn.execute(set, params![json(&request.clients), now(conn)?, run])?;
    Ok(())
}

/// Decodes a finished run.
pub(super) fn open_body(body: &[u8]) -> Result<Run, StoreError> {
    let text = pack::unpack(body).map_err(|error| StoreError::Damaged(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| StoreError::Damaged(error.to_string()))
}

impl StoredRun {
    /// The recorder of its events.
    pub fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }

    /// Notes for the user, a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Stores the result. If the user stopped the run, it can be resumed later; otherwise the replies of its clients
    /// are deleted, because they are no longer needed.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn finish(&self, run: &Run) -> Result<(), StoreError> {
        self.recorder.flush()?;
        let body = pack::pack(json(run).as_bytes());
        self.store.with(|conn| {
            let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            work.execute("DELETE FROM cause WHERE run = ?", [self.id])?;
            for (place, cause) in run.causes.iter().enumerate() {
                self.add_cause(&work, run, place, cause)?;
            }
            let state = if run.stopped { "stopped" } else { "finished" };
            work.execute(
                "UPDATE run SET state = ?, body = ?, spent_ms = ? WHERE id = ?",
                params![state, body, run.took.as_millis() as i64, self.id],
            )?;
            if !run.stopped {
                for client in self.recorder.clients() {
                    // This includes replies of the same client before its version, command or program changed.
                    let same = "SELECT o.id FROM client o JOIN client l ON l.name = o.name WHERE l.id = ?2";
                    let done = params![self.id, client];
                    work.execute(&format!("DELETE FROM reply WHERE run = ?1 AND client IN ({same})"), done)?;
                    work.execute(
                        &format!("DELETE FROM outcome WHERE run = ?1 AND client <> ?2 AND client IN ({same})"),
                        done,
                    )?;
                }
                work.execute(
                    "DELETE FROM picture WHERE run = ?1 AND digest NOT IN \
                     (SELECT picture FROM reply WHERE run = ?1 AND picture IS NOT NULL)",
                    [self.id],
                )?;
                seal::seal_run(&work, self.id)?;
            }
            Ok(work.commit()?)
        })
    }

    fn add_cause(
        &self,
        conn: &Connection,
        run: &Run,
        place: usize,
        cause: &Cause,
    ) -> Result<(), StoreError> {
        let name = &run.clients[cause.client].name;
        let client = self.recorder.client(name).ok_or_else(|| {
            StoreError::Damaged(format!("client {name} was not there when the run began"))
        })?;
        // Buckets show the smallest file.
        let (seed, file) = match &cause.small {
            Some(small) => (Some(&*small.seed), &small.file),
            None => {
                let (base, _) = run.base_of(cause.client);
                ((base != run.seed).then_some(base), &cause.file)
            }
        };
        let small = cause.small.as_ref().map(|small| &small.message);
        let message = small.filter(|message| !message.is_empty()).unwrap_or(&cause.message);
        let BucketKey { kind, dimensions, difference, .. } =
            BucketKey::of(name, &run.about.format, cause);
        conn.prepare_cached(
            "INSERT INTO cause (run, place, client, outcome, kind, dimensions, class, count, \
             title, message, choices, size, file, seed, difference, forms, is_limit) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            self.id,
            place as i64,
            client,
            cause.outcome.word(),
            super::word(&kind),
            json(&dimensions),
            super::word(&cause.class),
            cause.count as i64,
            report::title(cause),
            message,
            json(&*report::replayed_choices(run, cause)),
            file.len() as i64,
            pack::pack(file),
            seed.map(pack::pack),
            difference.map_or("", DifferenceKind::word),
            pack::pack(json(&cause.forms).as_bytes()),
            !cause.is_fault(),
        ])?;
        Ok(())
    }
}
