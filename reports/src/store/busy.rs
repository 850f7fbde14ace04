//! Waiting for a database that another process has locked.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);
/// The number of attempts after which clients that hold the files open are killed. Other processes of repfuzz hold
/// locks only for a moment.
const EVICT: i32 = 25;
/// The number of attempts after which waiting ends with an error.
const MOST: i32 = 1000;

/// The files of all databases that were opened.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes a connection to the database in `path` wait while another process has locked it. A client that keeps a lock is
/// killed.
///
/// # Errors
///
/// Returns an error of the database.
pub fn wait(conn: &Connection, path: &Path) -> rusqlite::Result<()> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    for file in files_of(path) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    conn.busy_handler(Some(again))
}

/// Hides the files of a database from clients that start from now on.
pub fn hide(path: &Path) {
    for file in files_of(path) {
        clients::hide(&file);
    }
}

/// The files of the database in `path`, which need not exist.
fn files_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm", "-journal"].into_iter().map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

/// Waits before the next attempt; returns false if no attempt is left.
fn again(attempts: i32) -> bool {
    if attempts > 0 && attempts % EVICT == 0 {
        let files = FILES.lock().unwrap_or_else(PoisonError::into_inner).clone();
        clients::evict(&files);
    }
    thread::sleep(PAUSE);
    attempts < MOST
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_client_that_keeps_a_database_locked_is_killed() {
        if !test_support::installed("python3") {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let conn = Connection::open(&path).unwrap();
        wait(&conn, &path).unwrap();
        conn.pragma_update(None, "journal_mode", "WAL").unwrap();
        conn.execute_batch("CREATE TABLE t (x)").unwrap();
        // The strongest lock, closest to a write lock, that a process with only read access can have
        // (<https://www.sqlite.org/walformat.html>, 2.3).
        let script = "import fcntl, sys, time\nf = open(sys.argv[1] + '-shm', 'rb')\n\
                      fcntl.lockf(f, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 120)\n\
                      print('locked', flush=True)\ntime.sleep(60)";
        let mut python = Command::new("python3");
        python.args(["-c", script]).arg(&path).stdout(Stdio::piped());
        let mut client = python.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "locked\n");
        conn.execute("INSERT INTO t VALUES (1)", []).unwrap();
        assert!(!client.wait().unwrap().success());
    }
}
