//! Lookup of executables.

use std::fs::File;
use std::io::Read;
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

/// The start of a script; `None` for other programs.
pub(super) fn script(path: &Path) -> Option<String> {
    const MOST: u64 = 64 << 10;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    bytes.starts_with(b"#!").then(|| String::from_utf8_lossy(&bytes).into_owned())
}
