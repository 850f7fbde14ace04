//! Lookup of executables.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// Finds a program: on `PATH`, or at its path if it has one.
pub(super) fn find(program: &str) -> Option<PathBuf> {
    let runs = |path: &Path| path.is_file() && access(path, Access::EXEC_OK).is_ok();
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| runs(path));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| runs(path))
}

/// Returns true if there is such a program.
pub(super) fn exists(program: &str) -> bool {
    find(program).is_some()
}
