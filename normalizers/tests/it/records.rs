//! The records of the specs that ship are what Z3 proves of them today.

use std::fs;
use std::path::{Path, PathBuf};

use inverter::check::record;
use inverter::program::SpecText;
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

#[test]
fn records_are_those_of_the_specs() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let folders = inside(&specs).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| inside(&folder));
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let records: String = files
        .map(|path| {
            let (name, text) = (path.display().to_string(), fs::read_to_string(&path).unwrap());
            record(&SpecText::on_disk(&name, &text), &primitives()).unwrap()
        })
        .collect();
    let path = specs.join("checked.txt");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &records).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == records,
        "run with {UPDATE}=1 to write them anew"
    );
}
