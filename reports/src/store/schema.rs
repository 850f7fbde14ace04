//! The tables of a store, and the migration of stores of older versions.

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// The application id that identifies a store: `RFUZ`.
const APPLICATION: i32 = 0x5246_555a;

/// The migration from each version to the next. Never change a step; only append to the list.
const STEPS: &[&str] = &[
    include_str!("schema.sql"),
    // The summary of a night, as JSON.
    "ALTER TABLE batch ADD COLUMN told TEXT",
    // The seed file of a smaller picture (zstd) that a cause's file and choices refer to; null for
    // the run's own.
    "ALTER TABLE cause ADD COLUMN seed BLOB",
    // The kind of difference of a wrong picture; empty if it is unknown. It is a part of the key
    // of buckets.
    "ALTER TABLE outcome ADD COLUMN difference TEXT NOT NULL DEFAULT '';
     ALTER TABLE cause ADD COLUMN difference TEXT NOT NULL DEFAULT '';
     DROP INDEX cause_bucket;
     CREATE INDEX cause_bucket ON cause (client, outcome, kind, dimensions, difference);
     ALTER TABLE recheck RENAME TO recheck_before;
     CREATE TABLE recheck (
         batch      INTEGER NOT NULL REFERENCES batch,
         client     INTEGER NOT NULL REFERENCES client,
         outcome    TEXT NOT NULL,
         kind       TEXT NOT NULL,
         dimensions TEXT NOT NULL,
         now        TEXT NOT NULL,
         at         TEXT NOT NULL,
         difference TEXT NOT NULL,
         PRIMARY KEY (batch, client, outcome, kind, dimensions, difference)
     );
     INSERT INTO recheck SELECT *, '' FROM recheck_before;
     DROP TABLE recheck_before",
    // For nights that notice what gets worse: the value classes of a cause's examples (JSON, zstd), and
    // the message of a recheck. Of a night: who read what (JSON), and failures on our side (JSON). Of
    // divided runs: the digest of the work without its part, the part, and whether it is finished. The
    // checksums of finished runs and nights.
    "ALTER TABLE cause ADD COLUMN forms BLOB;
     ALTER TABLE recheck ADD COLUMN message TEXT;
     ALTER TABLE batch ADD COLUMN coverage TEXT;
     ALTER TABLE batch ADD COLUMN losses TEXT;
     ALTER TABLE batch ADD COLUMN division TEXT;
     ALTER TABLE batch ADD COLUMN part TEXT;
     ALTER TABLE batch ADD COLUMN complete INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE batch ADD COLUMN digest TEXT;
     ALTER TABLE run ADD COLUMN digest TEXT",
    // The report of the last night (JSON, zstd), which can be written again. Of a part of a night: whether
    // its user goes on without the missing ones.
    "ALTER TABLE batch ADD COLUMN report BLOB;
     ALTER TABLE batch ADD COLUMN settled INTEGER NOT NULL DEFAULT 0",
    // The edges that a run reached: their map (zstd); null if the client published none.
    "ALTER TABLE reply ADD COLUMN edges BLOB",
    // The worker of a fleet that ran the client; null if it ran here.
    "ALTER TABLE reply ADD COLUMN worker TEXT",
    // The files of a client's program, by digest, are a part of its identity; empty if they are unknown, or if
    // it is linked in.
    "CREATE TABLE client_with_program (
         id      INTEGER PRIMARY KEY,
         name    TEXT NOT NULL,
         version TEXT NOT NULL,
         command TEXT NOT NULL,
         program TEXT NOT NULL DEFAULT '',
         UNIQUE (name, version, command, program)
     );
     INSERT INTO client_with_program (id, name, version, command)
         SELECT id, name, version, command FROM client;
     DROP TABLE client;
     ALTER TABLE client_with_program RENAME TO client",
    // True for a limit: the client, or its description, says that it does not support the feature.
    "ALTER TABLE cause ADD COLUMN is_limit INTEGER NOT NULL DEFAULT 0",
    // The processor time and the peak memory in bytes that a run took; null if they were not measured. `alone` is true
    // if nothing but the file can be the reason for them. How a region that was read by itself differs from the whole.
    "ALTER TABLE reply ADD COLUMN cpu_us INTEGER;
     ALTER TABLE reply ADD COLUMN peak INTEGER;
     ALTER TABLE reply ADD COLUMN alone INTEGER;
     ALTER TABLE reply ADD COLUMN region TEXT",
    // The name of the format of a run's files, which is a part of the key of buckets; empty for TIFF.
    "ALTER TABLE run ADD COLUMN format TEXT NOT NULL DEFAULT '';
     ALTER TABLE recheck RENAME TO recheck_before;
     CREATE TABLE recheck (
         batch      INTEGER NOT NULL REFERENCES batch,
         client     INTEGER NOT NULL REFERENCES client,
         outcome    TEXT NOT NULL,
         kind       TEXT NOT NULL,
         dimensions TEXT NOT NULL,
         now        TEXT NOT NULL,
         at         TEXT NOT NULL,
         difference TEXT NOT NULL,
         message    TEXT,
         format     TEXT NOT NULL,
         PRIMARY KEY (batch, client, outcome, kind, dimensions, difference, format)
     );
     INSERT INTO recheck SELECT *, '' FROM recheck_before;
     DROP TABLE recheck_before",
    // The extra read that is wrong, and how: `region` has the difference of any of them.
    "ALTER TABLE reply ADD COLUMN extra TEXT;
     UPDATE reply SET extra = 'region' WHERE region IS NOT NULL",
];

/// Migrates `conn`, which is a store of any version or an empty file, to the newest version.
pub fn migrate(conn: &mut Connection) -> Result<(), StoreError> {
    migrate_by(conn, STEPS)
}

fn migrate_by(conn: &mut Connection, steps: &[&str]) -> Result<(), StoreError> {
    let version = version(conn)?;
    if version > steps.len() {
        return Err(StoreError::Newer { version, known: steps.len() });
    }
    if version == steps.len() {
        return Ok(());
    }
    // The migration replaces a table that others refer to. The setting has no effect inside a transaction.
    conn.pragma_update(None, "foreign_keys", false)?;
    // The migration is atomic, and if two processes try it, only one does it.
    let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = self::version(&work)?;
    for step in steps.iter().skip(version) {
        work.execute_batch(step)?;
    }
    work.pragma_update(None, "application_id", APPLICATION)?;
    work.pragma_update(None, "user_version", steps.len() as i64)?;
    Ok(work.commit()?)
}

/// The version of the store in `conn`; 0 for an empty file.
fn version(conn: &Connection) -> Result<usize, StoreError> {
    let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, tables) {
        (APPLICATION, _) => Ok(usize::try_from(version).unwrap_or(0)),
        (0, 0) => Ok(0),
        _ => Err(StoreError::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_store_is_brought_up_to_date_and_keeps_what_it_has() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate_by(&mut conn, &["CREATE TABLE a (x)"]).unwrap();
        conn.execute("INSERT INTO a VALUES (7)", []).unwrap();
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y DEFAULT 8"];
        for _ in 0..2 {
            migrate_by(&mut conn, &steps).unwrap();
        }
        let row: (i64, i64) =
            conn.query_row("SELECT x, y FROM a", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(row, (7, 8));
    }

    #[test]
    fn runs_and_rechecks_of_stores_without_formats_are_of_tiff() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate_by(&mut conn, &STEPS[..STEPS.len() - 2]).unwrap();
        conn.pragma_update(None, "foreign_keys", false).unwrap();
        conn.execute_batch(
            "INSERT INTO recheck VALUES (1, 1, 'refused', 'reduced', '[]', 'same', '', 'x', 'no');
             INSERT INTO run (batch, place, whole, shard, seed_file, seed_sha256, repfuzz, command,
                              clients, started, state)
                 VALUES (1, 0, '', '1/1', 'a.tif', '', '', '', '[]', '', 'finished')",
        )
        .unwrap();
        migrate(&mut conn).unwrap();
        let found = "SELECT run.format, recheck.format, difference, message FROM run, recheck";
        let text = |row: &rusqlite::Row<'_>, k| row.get::<_, String>(k);
        let row = conn.query_row(found, [], |row| {
            Ok([text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?])
        });
        assert_eq!(row.unwrap(), ["", "", "x", "no"]);
    }

    #[test]
    fn a_difference_of_an_older_store_is_of_a_region() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate_by(&mut conn, &STEPS[..STEPS.len() - 1]).unwrap();
        conn.pragma_update(None, "foreign_keys", false).unwrap();
        conn.execute_batch(
            "INSERT INTO reply (run, client, file, attempt, kind, message, ms, region)
                 VALUES (1, 1, x'00', 0, 'picture', '', 0, 'x'), (1, 1, x'01', 0, 'picture', '', 0, NULL)",
        )
        .unwrap();
        migrate(&mut conn).unwrap();
        let find =
            "SELECT count(*), max(extra) FROM reply WHERE (extra = 'region') = (region IS NOT NULL)
                    OR extra IS NULL AND region IS NULL";
        let found =
            conn.query_row(find, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)));
        assert_eq!(found.unwrap(), (2, "region".to_owned()));
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate_by(&mut conn, &["CREATE TABLE a (x)"]).unwrap();
        let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE a (x)"];
        assert!(migrate_by(&mut conn, &steps).is_err());
        assert_eq!(version(&conn).unwrap(), 1);
        assert!(conn.execute("INSERT INTO b VALUES (7)", []).is_err());
    }

    #[test]
    fn a_newer_store_and_another_database_are_left_alone() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn).unwrap();
        conn.pragma_update(None, "user_version", STEPS.len() as i64 + 1).unwrap();
        let error = migrate(&mut conn).unwrap_err().to_string();
        assert!(error.contains("newer"), "{error}");
        let mut conn = Connection::open_in_memory().unwrap();
        conn.execute("CREATE TABLE mine (x)", []).unwrap();
        assert!(matches!(migrate(&mut conn), Err(StoreError::Foreign)));
    }
}
