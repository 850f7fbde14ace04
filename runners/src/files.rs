//! Writing files, with their names in what goes wrong.

use std::fs;
use std::io;
use std::path::Path;

/// Makes a folder, and those above it.
///
/// # Errors
///
/// Which folder, and why.
pub fn make(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir).map_err(|error| about(dir, &error))
}

/// Writes a whole file.
///
/// # Errors
///
/// Which file, and why.
pub fn put(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    fs::write(path, bytes).map_err(|error| about(path, &error))
}

/// `error` with the name of the file or folder that it is about.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
