//! Reads stores that cannot be written because they are on a read-only volume or in another user's folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{ErrorCode, OpenFlags};

use super::file::log_of;
use super::{Store, StoreError};

impl Store {
    /// Opens the store in this file for reading. If it cannot be opened in place because SQLite's log needs a writable
    /// folder, reads a temporary copy.
    ///
    /// # Errors
    ///
    /// As [`Store::existing`], or if it cannot be copied.
    pub fn reading(path: &Path) -> Result<Self, StoreError> {
        match Self::existing(path) {
            Err(error) if error.is_read_only() => {
                let at = |error: io::Error| StoreError::At {
                    path: path.into(),
                    error: Box::new(StoreError::Io(error)),
                };
                let (folder, copied) = copy(path).map_err(at)?;
                let mut store = Self::open_with(
                    &copied,
                    OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE,
                )?;
                store.path = path.into();
                store.copy = Some(Arc::new(folder));
                Ok(store)
            }
            opened => opened,
        }
    }
}

impl Store {
    /// Copies the store in this file into a temporary folder; returns the folder and the copy's path.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be copied.
    pub fn scratch_copy(path: &Path) -> Result<(tempfile::TempDir, PathBuf), StoreError> {
        let at =
            |error: io::Error| StoreError::At { path: path.into(), error: Box::new(error.into()) };
        copy(path).map_err(at)
    }

    /// Returns true if the store in this file and other files in its folder can be written.
    pub fn is_writable(path: &Path) -> bool {
        use rustix::fs::{Access, access};
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let writable = |path: &Path| access(path, Access::WRITE_OK).is_ok();
        writable(path) && writable(folder.unwrap_or(Path::new(".")))
    }
}

/// Copies a store with its log into a temporary folder.
fn copy(path: &Path) -> io::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::Builder::new().prefix("repfuzz-store-").tempdir()?;
    let copied = folder.path().join("store.sqlite");
    fs::write(&copied, fs::read(path)?)?;
    match fs::read(log_of(path)) {
        Ok(bytes) => fs::write(log_of(&copied), bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    Ok((folder, copied))
}

impl StoreError {
    /// Returns true if the file, or its folder, cannot be written.
    fn is_read_only(&self) -> bool {
        match self {
            StoreError::At { error, .. } => error.is_read_only(),
            StoreError::Sql(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
            ),
            _ => false,
        }
    }
}
