//! File operations whose errors name the file.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
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

/// Writes a whole file atomically: at any time it has either its old or its new content.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || {
        let mut file = tempfile::Builder::new()
            // As for a file that is created in the usual way, the system applies the umask.
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        io::Write::write_all(&mut file, bytes.as_ref())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| about(path, &error))
}

/// Removes a file or a folder with everything in it, if it is there.
///
/// # Errors
///
/// Returns an error that names it.
pub fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(path, &error)),
        _ => Ok(()),
    }
}

/// Adds the name of the file or folder to `error`.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
