//! Digests the sources of this crate, to identify the build that derived something from a spec.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=src");
    let mut hasher = DefaultHasher::new();
    add(Path::new("src"), &mut hasher);
    println!("cargo::rustc-env=SOURCES={:016x}", hasher.finish());
}

/// Adds the file, or all files of the folder, at a path.
fn add(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    let Ok(entries) = fs::read_dir(path) else {
        return fs::read(path).expect("sources can be read").hash(hasher);
    };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a folder").path()).collect();
    paths.sort();
    paths.iter().for_each(|path| add(path, hasher));
}
