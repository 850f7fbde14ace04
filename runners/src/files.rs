//! File operations whose errors name the file.

use std::fs;
use std::io;
use std::path::Path;

/// Creates a folder and its parents.
///
/// # Errors
///
/// Returns an error that names the folder.
pub fn make(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir).map_err(|error| about(dir, &error))
}

/// Writes a whole file.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn put(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    fs::write(path, bytes).map_err(|error| about(path, &error))
}

/// Adds the name of the file or folder to `error`.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
