//! Suites of pairs of small programs in C: the pairs of each file have its name and a number, as `open::heap_03`.

mod open;
#[path = "../it/pairs/mod.rs"]
mod pairs;
mod second;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use test_support::suite::{self, Suites};

/// The files of pairs in a folder of the data.
fn files(folder: &str) -> Vec<PathBuf> {
    suite::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder), "toml")
}

/// The pairs of a file, with their names.
fn named<P>(path: &Path, pairs: Vec<P>) -> impl Iterator<Item = (String, P)> {
    let stem = suite::stem(path);
    (1..).zip(pairs).map(move |(number, pair)| (format!("{stem}_{number:02}"), pair))
}

fn main() -> ExitCode {
    let mut suites = Suites::default();
    open::add(&mut suites);
    second::add(&mut suites);
    suites.run()
}
