//! Rows that a run writes while it is in progress, and the lookup of replies.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::StoreError;
use campaign::FileKey;
use clients::{ExtraDifference, ExtraRead, Reply, Spent};

/// A row to be inserted. An existing row is left unchanged, except that the last outcome replaces earlier ones, because
/// the cost of a file is judged after its picture.
#[derive(Debug)]
pub enum Insertion {
    Picture {
        digest: String,
        size: (u32, u32),
        rgba: Vec<u8>,
    },
    Reply {
        client: i64,
        file: FileKey,
        attempt: u32,
        kind: &'static str,
        picture: Option<String>,
        message: String,
        ms: i64,
        /// The map of the edges that the run reached, compressed.
        edges: Option<Vec<u8>>,
        /// The worker of a fleet that ran it.
        worker: Option<Arc<str>>,
        spent: Option<Spent>,
        extra: Option<ExtraDifference>,
    },
    Variant {
        variant: u64,
        vary: String,
        class: String,
        bytes: usize,
        choices: Vec<u8>,
    },
    Outcome {
        variant: u64,
        client: i64,
        outcome: &'static str,
        difference: &'static str,
        picture: Option<String>,
        message: String,
        ms: u64,
    },
}

/// Inserts `entries` of the run in one transaction, and updates its elapsed time to `spent`.
pub fn write(
    conn: &mut Connection,
    run: i64,
    entries: &[Insertion],
    spent: Duration,
) -> Result<(), StoreError> {
    let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for entry in entries {
        match entry {
            Insertion::Picture { digest, size: (width, height), rgba } => work
                .prepare_cached("INSERT OR IGNORE INTO picture VALUES (?, ?, ?, ?, ?)")?
                .execute(params![run, digest, width, height, rgba])?,
            Insertion::Reply {
                client,
                file,
                attempt,
                kind,
                picture,
                message,
                ms,
                edges,
                worker,
                spent,
                extra,
            } => work
                .prepare_cached(
                    "INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    run,
                    client,
                    file,
                    attempt,
                    kind,
                    picture,
                    message,
                    ms,
                    edges,
                    worker.as_deref(),
                    spent.map(|spent| spent.cpu.as_micros() as i64),
                    spent.and_then(|spent| spent.peak).map(|peak| peak as i64),
                    spent.map(|spent| spent.alone),
                    extra.as_ref().map(|extra| &extra.message),
                    extra.as_ref().map(|extra| extra.read.words().word)
                ])?,
            Insertion::Variant { variant, vary, class, bytes, choices } => work
                .prepare_cached("INSERT OR IGNORE INTO variant VALUES (?, ?, ?, ?, ?, ?)")?
                .execute(params![run, *variant as i64, vary, class, *bytes as i64, choices])?,
            Insertion::Outcome { variant, client, outcome, difference, picture, message, ms } => {
                work.prepare_cached(
                    "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    run,
                    *variant as i64,
                    client,
                    outcome,
                    picture,
                    message,
                    *ms as i64,
                    difference
                ])?
            }
        };
    }
    work.prepare_cached("UPDATE run SET spent_ms = ? WHERE id = ?")?
        .execute(params![spent.as_millis() as i64, run])?;
    Ok(work.commit()?)
}

/// A stored reply; a picture is stored by its digest.
pub struct StoredReply {
    /// The kind of the reply.
    pub kind: String,
    /// The digest of a picture.
    pub picture: Option<String>,
    /// The client's message.
    pub message: String,
    /// The time it took, in milliseconds.
    pub ms: u64,
    /// The map of the edges that the run reached, compressed.
    pub edges: Option<Vec<u8>>,
    /// The worker of a fleet that ran it.
    pub worker: Option<String>,
    /// The processor time and the memory that the run took.
    pub spent: Option<Spent>,
    /// The first of its extra reads that is wrong.
    pub extra: Option<ExtraDifference>,
}

/// The word for a kind of reply.
pub fn kind(reply: &Reply) -> &'static str {
    match reply {
        Reply::Picture(_) => "picture",
        Reply::Refused { .. } => "refused",
        Reply::Empty { .. } => "empty",
        Reply::Crash { .. } => "crash",
        Reply::Hang => "hang",
        Reply::Resource { .. } => "resource",
    }
}

/// Looks up the stored reply of the client in this row.
pub fn find(
    conn: &Connection,
    run: i64,
    client: i64,
    file: &FileKey,
    attempt: u32,
) -> Result<Option<StoredReply>, StoreError> {
    let find = "SELECT kind, picture, message, ms, edges, worker, cpu_us, peak, alone, region, extra FROM reply \
                WHERE run = ? AND client = ? AND file = ? AND attempt = ?";
    let found = conn.prepare_cached(find)?.query_row(params![run, client, file, attempt], |row| {
        let ms: i64 = row.get(3)?;
        let (kind, picture, message) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (edges, worker) = (row.get(4)?, row.get(5)?);
        let spent = match (row.get::<_, Option<i64>>(6)?, row.get::<_, Option<bool>>(8)?) {
            (Some(cpu), Some(alone)) => {
                let peak = row.get::<_, Option<i64>>(7)?.map(i64::unsigned_abs);
                Some(Spent { cpu: Duration::from_micros(cpu.unsigned_abs()), peak, alone })
            }
            _ => None,
        };
        let read = row.get::<_, Option<String>>(10)?;
        let read =
            read.and_then(|word| ExtraRead::ALL.into_iter().find(|read| read.words().word == word));
        let difference = row.get::<_, Option<String>>(9)?;
        let extra = read.zip(difference).map(|(read, message)| ExtraDifference { read, message });
        let ms = ms.unsigned_abs();
        Ok(StoredReply { kind, picture, message, ms, edges, worker, spent, extra })
    });
    Ok(found.optional()?)
}
