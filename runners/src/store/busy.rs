//! One process at a time works on a store; others may look at it.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::StoreError;

/// Held by the process that works on a store; gone with the process, however it ends.
#[derive(Debug)]
pub struct Held {
    _file: File,
}

/// Takes the store in `path` for this process.
///
/// # Errors
///
/// [`StoreError::Busy`] if another one has it.
pub fn hold(path: &Path) -> Result<Held, StoreError> {
    // A file of its own: SQLite's locks on the store are lost when any handle of it is closed.
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let file = File::options().create(true).truncate(false).write(true).open(name)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Held { _file: file }),
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
        let held = hold(&path).unwrap();
        assert!(matches!(hold(&path), Err(StoreError::Busy)));
        drop(held);
        assert!(hold(&path).is_ok());
    }
}
