//! The records of the specs that ship are what Z3 proves of them today.

use std::fs;
use std::path::{Path, PathBuf};

use inverter::check::{DiskCache, Records, load_recorded, record};
use inverter::program::SpecText;
use inverter::run::Executable;
use normalizers::primitives;

/// Set to write the records anew.
const UPDATE: &str = "UPDATE_RECORDS";

/// Returns the files in a folder, in alphabetical order.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut all: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Returns the name and the text of each spec that ships.
fn specs() -> impl Iterator<Item = (String, String)> {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let folders = inside(&specs).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| inside(&folder));
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    files.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()))
}

#[test]
fn records_are_those_of_the_specs() {
    let records: String = specs()
        .map(|(name, text)| record(&SpecText::on_disk(&name, &text), &primitives()).unwrap())
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/checked.txt");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &records).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == records,
        "run with {UPDATE}=1 to write them anew"
    );
}

#[test]
fn programs_and_inverses_of_the_cache_are_those_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let checked = || Records::new(include_str!("../../specs/checked.txt"));
    let cached = checked().cached(DiskCache::new(folder.path().to_owned()));
    for (name, text) in specs() {
        let derived = |records: &Records| {
            let all = load_recorded(&SpecText::on_disk(&name, &text), &primitives(), records);
            let debug = |e: &Executable| format!("{:?}\n{:?}", e.program(), **e);
            all.unwrap().iter().map(debug).collect::<Vec<_>>()
        };
        let fresh = derived(&checked());
        assert!(fresh == derived(&cached), "{name}: when it is made");
        assert!(fresh == derived(&cached), "{name}: when it is read");
    }
}
