//! Files of real producers in the corpus.

use std::fs;
use std::path::{Path, PathBuf};

/// The seeds of a format, in order; at least two.
pub fn seeds(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut seeds: Vec<_> =
        files.filter(|f| f.is_file() && f.extension().is_some_and(|e| e != "sh")).collect();
    seeds.sort();
    assert!(seeds.len() > 1, "{name}");
    seeds
}
