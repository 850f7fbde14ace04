//! Checksums of the rows of a store, which detect damage.
//!
//! SQLite detects damage only to its own structures. A finished run and a finished night are sealed: a digest of all
//! their rows is stored with them. Rows are identified by names, not by numbers, so that merging keeps a seal valid.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::{Store, StoreError};
use campaign::pack;

/// The rows of a run. The parameter is its number. Rows of clients with unknown programs and of runs on TIFF have the
/// same text as in stores of older versions.
const RUN: [&str; 4] = [
    "SELECT b.uid, b.kind, b.started, r.place, r.whole, r.shard, r.seed_file, r.seed_sha256, \
     r.repfuzz || r.format, r.command, r.clients, r.started, r.spent_ms, r.state, r.body \
     FROM run r JOIN batch b ON b.id = r.batch WHERE r.id = ?",
    "SELECT variant, vary, class, bytes, choices FROM variant WHERE run = ? ORDER BY variant",
    "SELECT o.variant, l.name, l.version, l.command || l.program, o.outcome, o.picture, o.message, o.ms, \
     o.difference FROM outcome o JOIN client l ON l.id = o.client WHERE o.run = ? \
     ORDER BY o.variant, l.name, l.version, l.command, l.program",
    "SELECT c.place, l.name, l.version, l.command || l.program, c.outcome, c.kind, c.dimensions, c.class, \
     c.count, c.title, c.message, c.choices, c.size, c.file, c.seed, c.difference, c.forms \
     FROM cause c JOIN client l ON l.id = c.client WHERE c.run = ? ORDER BY c.place",
];

/// The rows of a night. The parameter is its number.
const NIGHT: [&str; 2] = [
    "SELECT uid, kind, started, state, told, coverage, losses FROM batch WHERE id = ?",
    "SELECT l.name, l.version, l.command || l.program, k.outcome, k.kind, k.dimensions, k.now, k.at, \
     k.difference || k.format, k.message FROM recheck k JOIN client l ON l.id = k.client WHERE k.batch = ? \
     ORDER BY l.name, l.version, l.command, l.program, k.outcome, k.kind, k.dimensions, k.difference, \
     k.format",
];

/// Seals a finished run.
pub(super) fn seal_run(conn: &Connection, run: i64) -> Result<(), StoreError> {
    let digest = digest(conn, &RUN, run)?;
    conn.execute("UPDATE run SET digest = ? WHERE id = ?", params![digest, run])?;
    Ok(())
}

/// Seals a finished night.
pub(super) fn seal_night(conn: &Connection, batch: i64) -> Result<(), StoreError> {
    let digest = digest(conn, &NIGHT, batch)?;
    conn.execute("UPDATE batch SET digest = ? WHERE id = ?", params![digest, batch])?;
    Ok(())
}

fn digest(conn: &Connection, queries: &[&str], id: i64) -> Result<String, StoreError> {
    let mut sum = Sha256::new();
    for query in queries {
        let mut find = conn.prepare_cached(query)?;
        let columns = find.column_count();
        let mut rows = find.query([id])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                add(&mut sum, row.get_ref(column)?);
            }
        }
        sum.update([b'/']);
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn add(sum: &mut Sha256, value: ValueRef<'_>) {
    let (kind, number);
    let bytes: &[u8] = match value {
        ValueRef::Null => {
            kind = b'n';
            &[]
        }
        ValueRef::Integer(n) => {
            (kind, number) = (b'i', n.to_le_bytes());
            &number
        }
        ValueRef::Real(n) => {
            (kind, number) = (b'r', n.to_le_bytes());
            &number
        }
        ValueRef::Text(text) => {
            kind = b't';
            text
        }
        ValueRef::Blob(bytes) => {
            kind = b'b';
            bytes
        }
    };
    sum.update([kind]);
    sum.update((bytes.len() as u64).to_le_bytes());
    sum.update(bytes);
}

impl Store {
    /// Checks the structure of the file, and the seals of all finished runs and nights.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::Damaged`], which names the first damaged part, or an error of the database.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.with(|conn| verify(conn))
    }
}

/// [`Store::verify`] of a connection.
pub(super) fn verify(conn: &Connection) -> Result<(), StoreError> {
    verify_all(conn).map_err(|error| match error {
        // A value of a wrong type, or text that is not UTF-8, is damage as well.
        StoreError::Sql(error) if error.sqlite_error_code().is_none() => {
            damaged(&error.to_string())
        }
        error => error,
    })
}

fn verify_all(conn: &Connection) -> Result<(), StoreError> {
    let checked: String = conn
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(|error| damaged(&error.to_string()))?;
    if checked != "ok" {
        return Err(damaged(checked.lines().next().unwrap_or_default()));
    }
    let unknown = "SELECT count(*) FROM batch WHERE state NOT IN ('open', 'closed', 'abandoned') \
                   OR kind NOT IN ('fuzz', 'nightly')";
    if conn.query_row(unknown, [], |row| row.get::<_, i64>(0))? > 0 {
        return Err(damaged("a batch of an unknown kind or state"));
    }
    let runs =
        "SELECT r.id, r.digest, r.seed_file, r.started FROM run r WHERE r.digest IS NOT NULL";
    check(conn, runs, &RUN, "the run of")?;
    let nights = "SELECT id, digest, '', started FROM batch WHERE digest IS NOT NULL";
    check(conn, nights, &NIGHT, "the night of")?;
    // Compressed data has its own checksum.
    let mut find = conn.prepare("SELECT report, started FROM batch WHERE report IS NOT NULL")?;
    let mut reports = find.query([])?;
    while let Some(row) = reports.next()? {
        let packed: Vec<u8> = row.get(0)?;
        let what = |_| {
            damaged(&format!(
                "the report of the night of {}",
                row.get(1).unwrap_or_else(|_| String::new())
            ))
        };
        pack::unpack(&packed).map_err(what)?;
    }
    Ok(())
}

fn check(conn: &Connection, find: &str, rows: &[&str], what: &str) -> Result<(), StoreError> {
    let mut find = conn.prepare(find)?;
    let mut sealed = find.query([])?;
    while let Some(row) = sealed.next()? {
        let bytes = |k: usize| -> Result<String, StoreError> {
            let value = row.get_ref(k)?;
            let bytes = value.as_bytes_or_null().ok().flatten().unwrap_or_default();
            Ok(String::from_utf8_lossy(bytes).into_owned())
        };
        if digest(conn, rows, row.get(0)?)? != bytes(1)? {
            let name = format!("{} {}", bytes(2)?, bytes(3)?);
            return Err(damaged(&format!("{what} {} does not match its checksum", name.trim())));
        }
    }
    Ok(())
}

fn damaged(why: &str) -> StoreError {
    StoreError::Damaged(why.to_owned())
}
