//! One seed of a batch, from its begin to its end.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::batch::{Batch, digest};
use super::clients::{self, ClientId};
use super::{Recorder, Store, StoreError, from_json, json, now};
use crate::campaign::{Cause, Depth, Run, Shard, pack};
use crate::report;

/// What is to be run.
#[derive(Debug, Clone)]
pub struct Begin {
    /// The seed's place in its batch.
    pub place: usize,
    /// The seed file's name.
    pub seed_file: String,
    /// Its SHA-256, in hexadecimal.
    pub seed_sha256: String,
    /// All that tells this run from others, but the shard.
    pub whole: serde_json::Value,
    /// The part.
    pub shard: Shard,
    /// The command line that does it again.
    pub command: String,
    /// The clients, those of all shards.
    pub clients: Vec<ClientId>,
}

/// What there is of a run.
#[derive(Debug)]
pub enum Begun {
    /// All of it: it came to its end in an earlier process.
    Finished(Box<Run>),
    /// Nothing, or a part.
    Open(StoredRun),
}

/// A run that goes on.
#[derive(Debug)]
pub struct StoredRun {
    store: Store,
    id: i64,
    recorder: Recorder,
    notes: Vec<String>,
}

impl Batch {
    /// The run of this batch that `begin` says, with all that is known of it.
    ///
    /// # Errors
    ///
    /// What the database says.
    pub fn run(&self, begin: &Begin) -> Result<Begun, StoreError> {
        let store = &self.store;
        let Found { id, before, finished, notes } =
            store.with(|conn| find(conn, self.id, begin))?;
        if let Some(body) = finished {
            let run = open_body(&body).map_err(|error| store.about(error))?;
            return Ok(Begun::Finished(Box::new(run)));
        }
        let recorder = Recorder::new(store, id, &begin.clients)?;
        let mut lines = Vec::new();
        if let Some(since) = before {
            let known = report::plural(recorder.replies(), "reply", "replies");
            lines.push(format!(
                "{}: resuming the run of {}, of which {known} of clients are known \
                 (--fresh begins anew)",
                begin.seed_file,
                since.get(..16).unwrap_or(&since).replace('T', " ")
            ));
        }
        lines.extend(notes.into_iter().map(|note| format!("{}: {note}", begin.seed_file)));
        Ok(Begun::Open(StoredRun { store: store.clone(), id, recorder, notes: lines }))
    }
}

struct Found {
    id: i64,
    /// When it began, if it was there before.
    before: Option<String>,
    /// Its body, if it came to its end.
    finished: Option<Vec<u8>>,
    /// What has changed since it began.
    notes: Vec<String>,
}

/// The row of the run that `begin` says, which is made if it is not there.
fn find(conn: &mut Connection, batch: i64, begin: &Begin) -> Result<Found, StoreError> {
    let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    type Row = (i64, String, String, Option<Vec<u8>>, String);
    let known: Option<Row> = work
        .query_row(
            "SELECT id, state, clients, body, started FROM run WHERE batch = ? AND place = ?",
            params![batch, begin.place as i64],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )
        .optional()?;
    let found = match known {
        Some((id, state, _, Some(body), since)) if state == "finished" => {
            Found { id, before: Some(since), finished: Some(body), notes: Vec::new() }
        }
        Some((id, _, clients, _, since)) => {
            let clients: Vec<ClientId> = from_json(&clients)?;
            let set = "UPDATE run SET clients = ?, state = 'open' WHERE id = ?";
            work.execute(set, params![json(&begin.clients), id])?;
            let notes = clients::changes(&clients, &begin.clients);
            Found { id, before: Some(since), finished: None, notes }
        }
        None => {
            work.execute(
                "INSERT INTO run (batch, place, whole, shard, seed_file, seed_sha256, repfuzz, \
                 command, clients, started, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')",
                params![
                    batch,
                    begin.place as i64,
                    digest(&begin.whole),
                    begin.shard.to_string(),
                    begin.seed_file,
                    begin.seed_sha256,
                    env!("CARGO_PKG_VERSION"),
                    begin.command,
                    json(&begin.clients),
                    now(),
                ],
            )?;
            let id = work.last_insert_rowid();
            Found { id, before: None, finished: None, notes: Vec::new() }
        }
    };
    work.commit()?;
    Ok(found)
}

/// A finished run as it is kept.
pub(super) fn open_body(body: &[u8]) -> Result<Run, StoreError> {
    let text = pack::unpack(body).map_err(|error| StoreError::Damaged(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// How sure a cause is: `reduced` ones have dimensions.
fn kind(cause: &Cause) -> &'static str {
    match cause.depth {
        Depth::Minimal | Depth::Partly => "reduced",
        Depth::Flaky => "flaky",
        Depth::Not => "unreduced",
    }
}

impl StoredRun {
    /// Keeps what happens.
    pub fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }

    /// What the user should know: a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// It came to this end. If the user stopped it, it may go on another time; else the
    /// replies of its clients are no longer needed, and removed.
    ///
    /// # Errors
    ///
    /// What the database says.
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
                    let done = params![self.id, client];
                    work.execute("DELETE FROM reply WHERE run = ? AND client = ?", done)?;
                }
                work.execute(
                    "DELETE FROM picture WHERE run = ?1 AND digest NOT IN \
                     (SELECT picture FROM reply WHERE run = ?1 AND picture IS NOT NULL)",
                    [self.id],
                )?;
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
        // Buckets show the least file.
        let (seed, file, choices) = match &cause.small {
            Some(small) => (Some(&small.seed), &small.file, &small.choices),
            None => (None, &cause.file, &cause.choices),
        };
        // One text for one set, whatever the order of a seed's dimensions.
        let mut dimensions = cause.dimensions.clone();
        dimensions.sort_unstable();
        conn.prepare_cached(
            "INSERT INTO cause (run, place, client, outcome, kind, dimensions, class, count, \
             title, message, choices, size, file, seed) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            self.id,
            place as i64,
            client,
            cause.outcome.word(),
            kind(cause),
            json(&dimensions),
            super::word(&cause.class),
            cause.count as i64,
            report::title(cause),
            cause.message,
            json(choices),
            file.len() as i64,
            pack::pack(file),
            seed.map(|seed| pack::pack(seed)),
        ])?;
        Ok(())
    }
}
