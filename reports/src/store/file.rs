//! The file of a store. It is created atomically, and truncation is detected.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{StoreError, schema};

/// The length of the header of an SQLite file.
const HEADER: usize = 100;

/// Creates the store in this file, with all tables, unless the file exists. The file appears atomically, so a process
/// that is killed does not leave an empty one.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = tempfile::Builder::new()
        .prefix(".repfuzz-store-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let mut conn = Connection::open(file.path())?;
    schema::migrate(&mut conn)?;
    conn.close().map_err(|(_, error)| error)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        // Another process has created it in the meantime.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error.into()),
    }
}

/// Checks that the file is as long as its header says. SQLite reads zeros beyond the end of a file that was
/// cut off, and takes an empty one for a new database.
pub(super) fn check_length(path: &Path) -> Result<(), StoreError> {
    let length = fs::metadata(path)?.len();
    if length == 0 {
        return Err(StoreError::Empty);
    }
    // If there is a log, the length of the file alone proves nothing.
    if fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    let mut header = Vec::with_capacity(HEADER);
    File::open(path)?.take(HEADER as u64).read_to_end(&mut header)?;
    match expected_length(&header) {
        Some((page, least)) if length < least || length % page != 0 => Err(StoreError::Damaged(
            format!("its file was cut off: it has {length} bytes, and its header says {least}"),
        )),
        _ => Ok(()),
    }
}

/// Returns the size of a page and the minimum length of the file, both in bytes, from the header of an SQLite file
/// (<https://www.sqlite.org/fileformat.html>, 1.3); `None` if it is not such a header, or does not state them.
fn expected_length(header: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let size = u16::from_be_bytes(header.get(16..18)?.try_into().ok()?);
    if !header.starts_with(b"SQLite format 3\0") || (size != 1 && !size.is_power_of_two()) {
        return None;
    }
    let page = if size == 1 { 65_536 } else { u64::from(size) };
    // The number of pages is valid only if the last change was made by a version that maintains it.
    let valid = number(24)? == number(92)?;
    valid.then_some((page, page * u64::from(number(28)?)))
}

/// The file of SQLite's log.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_store_that_is_empty_or_was_cut_off_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let open = || Store::open(&path).map(drop).map_err(|error| error.to_string());
        assert_eq!(open(), Ok(()));
        let whole = fs::read(&path).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_ne!(mode & 0o400, 0, "{mode:o}");
        for cut in [1, 100, 5000, whole.len() - 99] {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let error = open().unwrap_err();
            assert!(error.contains("s.sqlite: damaged: its file was cut off"), "{cut}: {error}");
        }
        fs::write(&path, "").unwrap();
        let error = open().unwrap_err();
        assert!(error.contains("s.sqlite: the file is empty"), "{error}");
        fs::write(&path, &whole).unwrap();
        assert_eq!(open(), Ok(()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
