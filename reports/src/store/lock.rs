//! The lock of a store: one process at a time works on it; others may read it.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::StoreError;

/// The lock. It is released when the process ends in any way.
#[derive(Debug)]
pub struct StoreLock {
    _file: File,
}

/// Locks the store in `path` for this process.
///
/// # Errors
///
/// Returns [`StoreError::Busy`] if another process holds the lock.
pub fn lock(path: &Path) -> Result<StoreLock, StoreError> {
    // The lock is a separate file because SQLite's locks are lost when any handle of the store is closed.
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let file = File::options().create(true).truncate(false).write(true).open(&name)?;
    clients::hide(Path::new(&name));
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(StoreLock { _file: file }),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::Busy),
        Err(error) => Err(StoreError::Io(error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let held = lock(&path).unwrap();
        assert!(matches!(lock(&path), Err(StoreError::Busy)));
        drop(held);
        assert!(lock(&path).is_ok());
    }
}
