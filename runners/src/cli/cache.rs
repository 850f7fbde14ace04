//! The folder where the program keeps what it derives from specs.

use std::path::PathBuf;

use inverter::check::DiskCache;

/// The environment variable that names the folder to use in place of `repfuzz` in the user's cache folder. If it is
/// empty, there is no cache.
const FOLDER: &str = "REPFUZZ_CACHE";

/// Keeps what this process derives from specs for later processes.
pub fn open() {
    if let Some(folder) = folder() {
        normalizers::cache_in(DiskCache::new(folder));
    }
}

fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(FOLDER) {
        return (!named.is_empty()).then(|| named.into());
    }
    let absolute = |path: &PathBuf| path.is_absolute();
    let caches = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(absolute);
    let home = || std::env::home_dir().filter(absolute).map(|home| home.join(".cache"));
    Some(caches.or_else(home)?.join("repfuzz"))
}
