//! Files of repfuzz, above all its store, that programs cannot open if their sandbox has a mount namespace.
//!
//! A program that can open a file can lock it, and keep repfuzz waiting.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hides a file from programs that start from now on, as soon as it exists. Its folder must exist.
pub fn hide(file: &Path) {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let (Ok(folder), Some(name)) = (folder, file.file_name()) else { return };
    let file = folder.join(name);
    let mut files = files();
    if !files.contains(&file) {
        files.push(file);
    }
}

/// Lists the hidden files that exist now.
pub(super) fn existing() -> Vec<PathBuf> {
    files().iter().filter(|file| file.is_file()).cloned().collect()
}

/// The number of files that are currently hidden. A program that started when there were fewer sees some of them.
pub(crate) fn number() -> usize {
    existing().len()
}
